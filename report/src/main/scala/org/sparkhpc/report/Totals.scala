package org.sparkhpc.report

/** A run as a whole. Times are in milliseconds.
  *
  * @param sums over all stages
  * @param use of the cores that executors offered
  */
final case class Totals(sums: Sums, use: BusyTime) {

  /** Each part of all tasks' time. */
  def split: Map[Part, Double] = sums.split

  /** The sum of all tasks' durations. */
  def taskTime: Long = sums.taskTime

  def bytes: TaskBytes = sums.bytes

  /** The time in which at least one job ran. */
  def busy: Long = use.jobs

  /** The mean number of cores while jobs ran. */
  def cores: Double = if (busy == 0) 0 else use.cores.toDouble / busy

  /** The share of the cores' time in which tasks used them, while jobs ran. */
  def used: Double = if (use.cores == 0) 0 else taskTime.toDouble / use.cores

  /** The sum of these parts. */
  def of(parts: Part*): Double = parts.map(split.getOrElse(_, 0.0)).sum

  /** The parts that are at least this share of all tasks' time, in the order of tables. */
  def partsAbove(share: Double): Seq[Part] =
    Part.all.filter(part => split.get(part).exists(_ >= share * taskTime))
}

/** Sums over stages. */
final case class Sums(
    split: Map[Part, Double] = Map.empty,
    taskTime: Long = 0,
    bytes: TaskBytes = TaskBytes()
) {
  def +(other: Sums): Sums = {
    val parts = (split.keySet ++ other.split.keySet).toSeq
    Sums(
      parts.map(part =>
        part -> (split.getOrElse(part, 0.0) + other.split.getOrElse(part, 0.0))
      ).toMap,
      taskTime + other.taskTime,
      bytes + other.bytes
    )
  }
}

private[report] object Sums {
  def of(stage: StageFigures): Sums = Sums(stage.split, stage.times.duration, stage.bytes)
}
