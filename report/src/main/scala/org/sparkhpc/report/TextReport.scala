package org.sparkhpc.report

import org.sparkhpc.report.Words.{bytes, percent, seconds}

/** The report as text. */
object TextReport {

  def of(run: Run): String = {
    val totals = run.totals
    val stages = run.stages.filter(_.tasks > 0).sortBy(-_.times.duration)
    (heading(run, totals) ++ Seq("") ++ table(stages.take(MostStages), totals.partsAbove(0.005)) ++
      more(stages.size - MostStages) ++ Tables.of(run).flatMap(section) ++ Seq("") ++
      conclusion(run, totals)).mkString("", "\n", "\n")
  }

  /** The bottleneck in one sentence, the figure that says so, and what would help. */
  def conclusion(run: Run, totals: Totals): Seq[String] = {
    val all = Finding.all(run, totals)
    Finding.bottleneck(all, totals) match {
      case Some(found) =>
        Seq(
          s"The bottleneck is ${found.what}: ${found.figure}.",
          s"To mend it, ${found.remedy}.",
          s"The gain would be at most ${seconds(found.gain)} of ${seconds(totals.busy)} " +
            s"(${percent(found.gain / totals.busy)})."
        )
      case None =>
        Seq(s"No bottleneck was found that costs ${percent(Finding.Least)} of the time.") ++
          all.headOption.map(found => s"The largest loss is ${found.what}: ${found.figure}.")
    }
  }

  private def heading(run: Run, totals: Totals): Seq[String] = {
    val (executors, removed) = run.executorCounts
    val moved = totals.bytes
    val parts = totals.split.toSeq.sortBy(-_._2).map { case (part, millis) =>
      s"${part.name} ${percent(millis / totals.taskTime)}"
    }
    Seq(
      s"${run.name} (${run.id}), Spark ${run.sparkVersion}: ${seconds(run.wall)}, of which jobs ran " +
        seconds(totals.busy),
      "",
      s"Cores: ${math.round(totals.cores)} on the average, tasks used them ${percent(totals.used)} of the time of " +
        s"jobs; $executors executors, $removed removed",
      s"Bytes: input ${bytes(moved.input)}, shuffle ${bytes(moved.shuffleWritten)} written and " +
        s"${bytes(moved.shuffleRead)} read, spilled ${bytes(moved.spilled)}, output ${bytes(moved.output)}",
      s"Tasks' time: ${parts.mkString(", ")}"
    )
  }

  private val MostStages = 20

  private def table(stages: Seq[StageFigures], parts: Seq[Part]): Seq[String] = {
    val header =
      Seq("stage", "name", "tasks", "time", "median", "longest", "idle") ++ parts.map(_.name)
    TextTable.of(header)(for (stage <- stages; (median, longest) <- stage.durations) yield {
      val split = stage.split
      Seq(
        stage.label,
        stage.name.take(28),
        s"${stage.tasks}",
        stage.duration.fold("")(millis => seconds(millis.toDouble)),
        seconds(median),
        seconds(longest),
        idle(stage)
      ) ++ parts.map(part =>
        split.get(part).fold("")(millis => percent(millis / math.max(1, stage.times.duration)))
      )
    })
  }

  /** The share of the cores' time that no task used. */
  private[report] def idle(stage: StageFigures): String =
    if (stage.offered > 0) percent(stage.idle / stage.offered) else ""

  private def section(table: Table): Seq[String] =
    Seq("", s"${table.title}. ${table.note}") ++ TextTable.of("" +: table.header)(
      table.rows.map("" +: _)
    )

  private def more(left: Int): Seq[String] =
    if (left > 0) Seq(s"and $left shorter stages") else Seq.empty
}
