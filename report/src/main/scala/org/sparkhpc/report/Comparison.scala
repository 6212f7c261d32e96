package org.sparkhpc.report

import org.sparkhpc.report.Words.{percent, seconds}

/** Two runs of a program side by side, stage by stage. A stage of the first run is compared with that of the second one
  * that has the same name and is as many stages of that name after the first.
  */
object Comparison {

  def text(first: Run, second: Run): String = {
    val (a, b) = (first.totals, second.totals)
    val parts = Part.all.filter((a.partsAbove(0.01) ++ b.partsAbove(0.01)).toSet)
    val (ofFirst, ofSecond) = (numbered(first), numbered(second))
    val pairs = for ((key, stage) <- ofFirst.toSeq; other <- ofSecond.get(key)) yield (stage, other)
    val rows =
      pairs.sortBy { case (one, other) => -math.abs(took(one) - took(other)) }.take(Most).map {
        case (one, other) =>
          row(one.label, one.name, Side.of(one), Side.of(other), parts)
      }
    val whole = row("all", "", Side.of(first, a), Side.of(second, b), parts)
    val header = Seq("stage", "name", "tasks A", "B", "time A", "B", "B to A") ++ parts.map(_.name)
    (Seq(
      s"A: ${first.name} (${first.id}), Spark ${first.sparkVersion}",
      s"B: ${second.name} (${second.id}), Spark ${second.sparkVersion}",
      "",
      "Time: the time of the stage; parts: seconds of its tasks, A and B. The stages with the largest difference come first.",
      ""
    ) ++ TextTable.of(header)(whole +: rows) ++
      only("A", ofFirst -- ofSecond.keys) ++ only("B", ofSecond -- ofFirst.keys) ++
      Seq(
        "",
        s"A: ${TextReport.conclusion(first, a).mkString(" ")}",
        s"B: ${TextReport.conclusion(second, b).mkString(" ")}"
      )).mkString("", "\n", "\n")
  }

  private val Most = 30

  /** A stage by its name, and its number among those of that name. */
  private def numbered(run: Run): Map[(String, Int), StageFigures] =
    run.stages.filter(_.tasks > 0).groupBy(_.name).flatMap { case (name, stages) =>
      stages.zipWithIndex.map { case (stage, i) => (name, i) -> stage }
    }

  private def took(stage: StageFigures): Long = stage.duration.getOrElse(0)

  /** One run's figures of a row. */
  private final case class Side(tasks: Int, millis: Long, split: Map[Part, Double])

  private object Side {
    def of(stage: StageFigures): Side = Side(stage.tasks, took(stage), stage.split)

    def of(run: Run, totals: Totals): Side =
      Side(run.stages.map(_.tasks).sum, totals.busy, totals.split)
  }

  private def row(stage: String, name: String, a: Side, b: Side, parts: Seq[Part]): Seq[String] =
    Seq(
      stage,
      name.take(28),
      s"${a.tasks}",
      s"${b.tasks}",
      seconds(a.millis.toDouble),
      seconds(b.millis.toDouble),
      if (a.millis == 0) "" else percent(b.millis.toDouble / a.millis)
    ) ++ parts.map { part =>
      val (before, after) = (a.split.getOrElse(part, 0.0), b.split.getOrElse(part, 0.0))
      if (before + after < 50) "" else s"${seconds(before)}, ${seconds(after)}"
    }

  private def only(run: String, stages: Map[(String, Int), StageFigures]): Seq[String] =
    if (stages.isEmpty) Seq.empty
    else
      Seq(
        s"Only $run has ${stages.size} stages, which took ${seconds(stages.values.map(took).sum.toDouble)}."
      )
}
