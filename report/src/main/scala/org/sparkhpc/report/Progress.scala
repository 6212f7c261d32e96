package org.sparkhpc.report

import scala.collection.mutable

import org.sparkhpc.report.Words.{percent, seconds}

/** The progress of a stage that runs, and what its tasks do. Not thread-safe.
  *
  * @param submitted milliseconds since the epoch
  */
final class Progress(label: String, name: String, tasks: Int, submitted: Long) {
  private var done = 0
  private var ended = Map.empty[Part, Long]
  private val running = mutable.Map.empty[Long, Map[Part, Long]]
  private var said = Map.empty[Part, Long]
  private var saidAt = submitted

  /** @param samples of a task that runs, since it began, by `PURPOSE/ACTIVITY` */
  def runs(task: Long, samples: Map[String, Int]): Unit = running(task) = parts(samples)

  def taskEnded(task: Long, samples: Map[String, Int], isDone: Boolean): Unit = {
    running -= task
    ended = sum(ended, parts(samples))
    if (isDone) done += 1
  }

  /** A line, if the last one, or the stage's begin, is this long ago and samples were taken since. */
  def line(now: Long, pauseMillis: Long): Option[String] = {
    val all = running.values.foldLeft(ended)(sum)
    val since = Part.all.map(part => part -> (all.getOrElse(part, 0L) - said.getOrElse(part, 0L)))
    val taken = since.map(_._2).filter(_ > 0).sum
    if (now - saidAt < pauseMillis || taken == 0) None
    else {
      val shares = for ((part, count) <- since.sortBy(-_._2) if count * 20 >= taken)
        yield s"${part.name} ${percent(count.toDouble / taken)}"
      val ago = seconds(math.max(0, now - saidAt).toDouble)
      said = all
      saidAt = now
      val ran = seconds(math.max(0, now - submitted).toDouble)
      Some(
        s"Stage $label ($name) has run $ran: $done of $tasks tasks are done. In the last $ago, its tasks did: " +
          shares.mkString(", ")
      )
    }
  }

  private def parts(samples: Map[String, Int]): Map[Part, Long] =
    samples.toSeq.map { case (cell, count) => Part.ofCell(cell) -> count.toLong }
      .groupBy(_._1).map { case (part, its) => part -> its.map(_._2).sum }

  private def sum(some: Map[Part, Long], others: Map[Part, Long]): Map[Part, Long] =
    others.foldLeft(some) { case (all, (part, count)) =>
      all.updated(part, all.getOrElse(part, 0L) + count)
    }
}
