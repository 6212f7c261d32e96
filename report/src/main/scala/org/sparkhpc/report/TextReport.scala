package org.sparkhpc.report

import org.sparkhpc.report.Words.{bytes, percent, seconds}

/** The report as text, for terminals of at least 120 columns. */
object TextReport {

  /** @param most the number of stages in the table, the longest first */
  def of(run: Run, most: Int = 20): String = {
    val split = run.split
    val stages = run.stages.filter(_.tasks > 0).sortBy(-_.times.duration)
    val parts = Part.all.filter(split.get(_).exists(_ >= 0.005 * run.taskTime))
    (Seq(
      s"${run.name} (${run.id}), Spark ${run.sparkVersion}: ${seconds(run.wall)}, of which jobs ran ${seconds(run.busy)}",
      ""
    ) ++ whole(run, split) ++ Seq("") ++ table(stages.take(most), parts) ++
      more(stages.size - most) ++ Tables.of(run.history).flatMap(section) ++ Seq("") ++ conclusion(
        run
      )).mkString("", "\n", "\n")
  }

  /** The bottleneck in one sentence, the figure that says so, and what would help. */
  def conclusion(run: Run): Seq[String] = Finding.of(run) match {
    case Some(found) =>
      Seq(
        s"The bottleneck is ${found.what}: ${found.figure}.",
        s"To mend it, ${found.remedy}.",
        s"The gain would be at most ${seconds(found.gain)} of ${seconds(run.busy)} (${percent(found.gain / run.busy)})."
      )
    case None =>
      val largest = Finding.all(run).headOption.map(found =>
        s" The largest loss is ${found.what}: ${found.figure}."
      )
      Seq(
        s"No bottleneck was found that costs ${percent(Finding.Least)} of the time.${largest.getOrElse("")}"
      )
  }

  private def whole(run: Run, split: Map[Part, Double]): Seq[String] = {
    val used = if (run.coreTime == 0) 0 else run.taskTime.toDouble / run.coreTime
    val moved = run.bytes
    val parts = Part.all.flatMap(part => split.get(part).map(part -> _)).sortBy(-_._2)
    Seq(
      s"Cores: ${math.round(run.cores)} on the average, tasks used them ${percent(used)} of the time of jobs; ${run.executors.size} " +
        s"executors, ${run.executors.count(_.removed.isDefined)} removed",
      s"Bytes: input ${bytes(moved.input)}, shuffle ${bytes(moved.shuffleWritten)} written and ${bytes(moved.shuffleRead)} " +
        s"read, spilled ${bytes(moved.spilled)}, output ${bytes(moved.output)}",
      "Tasks' time: " + parts.map { case (part, millis) =>
        s"${part.name} ${percent(millis / run.taskTime)}"
      }.mkString(", ")
    )
  }

  private def table(stages: Seq[StageFigures], parts: Seq[Part]): Seq[String] = {
    val header = Seq("stage", "name", "tasks", "time", "median", "longest") ++ parts.map(_.name)
    val rows = stages.map { stage =>
      val split = stage.split
      val durations = stage.sortedDurations
      Seq(
        if (stage.key.attempt == 0) s"${stage.key.id}" else s"${stage.key.id}.${stage.key.attempt}",
        stage.name.take(28),
        s"${stage.tasks}",
        stage.duration.fold("")(millis => seconds(millis.toDouble)),
        seconds(durations((durations.length - 1) / 2)),
        seconds(durations.last)
      ) ++ parts.map(part =>
        split.get(part).fold("")(millis => percent(millis / math.max(1, stage.times.duration)))
      )
    }
    TextTable.of(header)(rows)
  }

  private def section(table: Table): Seq[String] =
    Seq("", s"${table.title}. ${table.note}") ++ TextTable.of("" +: table.header)(
      table.rows.map("" +: _)
    )

  private def more(left: Int): Seq[String] =
    if (left > 0) Seq(s"and $left shorter stages") else Seq.empty
}
