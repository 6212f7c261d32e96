package org.sparkhpc.report

import org.sparkhpc.report.Words.{percent, seconds}

/** Two runs of a program side by side, stage by stage. A stage of the first run is compared with that of the second one
  * that has the same name and is as many stages of that name after the first.
  */
object Comparison {

  def text(first: Run, second: Run): String = {
    val others = numbered(second)
    val pairs = numbered(first).toSeq.map { case (key, stage) => (stage, others.get(key)) }
    val alone = (others -- numbered(first).keys).values.toSeq
    val parts = Part.all.filter(part =>
      Seq(first, second).exists(run => run.split.getOrElse(part, 0.0) >= 0.01 * run.taskTime)
    )
    (Seq(
      s"A: ${first.name} (${first.id}), Spark ${first.sparkVersion}",
      s"B: ${second.name} (${second.id}), Spark ${second.sparkVersion}",
      "",
      "Time: the time of the stage; parts: seconds of its tasks, A and B. The stages with the largest difference come first.",
      ""
    ) ++ TextTable.of(
      Seq("stage", "name", "tasks A", "B", "time A", "B", "B to A") ++ parts.map(_.name)
    ) {
      row(
        "all",
        "",
        first.stages.map(_.tasks).sum,
        second.stages.map(_.tasks).sum,
        first.busy,
        second.busy,
        first.split,
        second.split,
        parts
      ) +:
        pairs.collect { case (a, Some(b)) => (a, b) }.sortBy { case (a, b) =>
          -math.abs(took(a) - took(b))
        }.take(Most).map {
          case (a, b) =>
            row(s"${a.key.id}", a.name, a.tasks, b.tasks, took(a), took(b), a.split, b.split, parts)
        }
    } ++ only("A", pairs.collect { case (stage, None) => stage }) ++ only("B", alone) ++
      Seq(
        "",
        s"A: ${TextReport.conclusion(first).mkString(" ")}",
        s"B: ${TextReport.conclusion(second).mkString(" ")}"
      ))
      .mkString("", "\n", "\n")
  }

  private val Most = 30

  private def numbered(run: Run): Map[(String, Int), StageFigures] =
    run.stages.filter(_.tasks > 0).groupBy(_.name).flatMap { case (name, stages) =>
      stages.zipWithIndex.map { case (stage, i) => (name, i) -> stage }
    }

  private def took(stage: StageFigures): Long = stage.duration.getOrElse(0)

  private def row(
      stage: String,
      name: String,
      tasksA: Int,
      tasksB: Int,
      timeA: Long,
      timeB: Long,
      a: Map[Part, Double],
      b: Map[Part, Double],
      parts: Seq[Part]
  ): Seq[String] =
    Seq(
      stage,
      name.take(28),
      s"$tasksA",
      s"$tasksB",
      seconds(timeA.toDouble),
      seconds(timeB.toDouble),
      if (timeA == 0) "" else percent(timeB.toDouble / timeA)
    ) ++
      parts.map { part =>
        val (before, after) = (a.getOrElse(part, 0.0), b.getOrElse(part, 0.0))
        if (before + after < 50) "" else s"${seconds(before)}, ${seconds(after)}"
      }

  private def only(run: String, stages: Seq[StageFigures]): Seq[String] =
    if (stages.isEmpty) Seq.empty
    else Seq(
      s"Only $run has ${stages.size} stages, which took ${seconds(stages.map(took).sum.toDouble)}."
    )
}
