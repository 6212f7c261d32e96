package org.apache.spark.examples.hpc

import scala.math.Ordering.Implicits._

import org.apache.spark.util.AccumulatorV2

/** A line that can't be understood, and where it stands. */
final case class BadLine(file: String, offset: Long, text: String)

/** Collects bad lines while a job runs: how many, and the first few of them by file and offset.
  *
  * Bad lines travel as data because a task that throws is tried again on other executors, four
  * stack traces long, for a line that stays as it is. What each task sends back is bounded. A
  * task that Spark runs twice counts twice, so the number is an upper bound; the lines are exact.
  */
final class BadLines(keep: Int) extends AccumulatorV2[BadLine, Seq[BadLine]] {
  private var first = Vector.empty[BadLine]
  private var seen = 0L

  def count: Long = seen

  override def value: Seq[BadLine] = first

  override def isZero: Boolean = seen == 0

  override def copy(): BadLines = {
    val twin = new BadLines(keep)
    twin.first = first
    twin.seen = seen
    twin
  }

  override def reset(): Unit = {
    first = Vector.empty
    seen = 0
  }

  override def add(line: BadLine): Unit = {
    seen += 1
    retain(line)
  }

  override def merge(other: AccumulatorV2[BadLine, Seq[BadLine]]): Unit = {
    other match {
      case more: BadLines => seen += more.seen
      case _ => throw new IllegalArgumentException(s"${other.getClass} into ${getClass}")
    }
    other.value.foreach(retain)
  }

  private def retain(line: BadLine): Unit =
    if (!first.contains(line) && (first.size < keep || order(line) < order(first.last))) {
      first = (first :+ line).sortBy(order).take(keep)
    }

  private def order(line: BadLine): (String, Long) = (line.file, line.offset)
}
