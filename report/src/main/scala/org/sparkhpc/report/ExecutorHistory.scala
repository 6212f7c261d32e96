package org.sparkhpc.report

import scala.collection.mutable

/** The figures that executors sent while they ran. Not thread-safe.
  *
  * All figures but those by RDD ([[CachedRdds]]) are kept as they were last. Of those in [[ExecutorHistory.Charted]], the
  * values over time are kept.
  */
final class ExecutorHistory {
  import ExecutorHistory._

  private val lasts = mutable.LinkedHashMap.empty[String, Map[String, Double]]
  private var forgotten = Map.empty[String, Double]
  private val points = mutable.LinkedHashMap.empty[String, mutable.ArrayBuffer[Point]]

  def add(executor: String, time: Long, figures: Map[String, Double]): Unit = {
    update(executor, figures)
    points.getOrElseUpdate(executor, mutable.ArrayBuffer.empty) +=
      Point(time, Charted.map(name => figures.getOrElse(name, 0.0).toFloat).toArray)
  }

  /** Keeps figures without a point in time. */
  def update(executor: String, figures: Map[String, Double]): Unit =
    lasts(executor) = figures.filterNot { case (name, _) => CachedRdds.isFigure(name) }

  /** Keeps only the executor's part of the sums. */
  def forget(executor: String): Unit = {
    for ((figure, value) <- lasts.getOrElse(executor, Map.empty))
      forgotten += figure -> (forgotten.getOrElse(figure, 0.0) + value)
    lasts -= executor
    points -= executor
  }

  def isEmpty: Boolean = lasts.isEmpty

  /** The last figures by executor, without those that were forgotten. */
  def last: collection.Map[String, Map[String, Double]] = lasts

  /** The sum over all executors of the last values. */
  def sum(figure: String): Double =
    forgotten.getOrElse(figure, 0.0) + lasts.values.map(_.getOrElse(figure, 0.0)).sum

  /** Values of the charted figures over time, by executor. */
  def series: collection.Map[String, Seq[Point]] = points

  /** The names of figures that begin with `prefix`, without it. */
  def names(prefix: String): Set[String] =
    lasts.values.flatMap(_.keys).filter(_.startsWith(prefix)).map(_.stripPrefix(prefix)).toSet
}

object ExecutorHistory {

  /** @param values those of [[Charted]], in this order */
  final case class Point(time: Long, values: Array[Float])

  val Charted: Seq[String] = Seq("process.heap", "process.rss", "node.shared", "node.cached")
}
