package org.sparkhpc.report

import scala.collection.mutable

import org.sparkhpc.request.{LatencyBucket, RequestKind}

/** The requests that were made for tasks, by [[RequestKind]] and [[LatencyBucket]]. Not thread-safe. */
final class RequestFigures {
  private val counts = mutable.Map.empty[RequestKind, Array[Long]]

  /** Adds what [[RequestFigures.parse]] has returned. */
  def add(requests: Map[String, Int]): Unit = requests.foreach {
    case (RequestFigures.Cell(name, bucket), count) =>
      for (kind <- RequestKind.all if kind.name == name && bucket.toInt < LatencyBucket.Number)
        of(kind)(bucket.toInt) += count
    case _ =>
  }

  def add(other: RequestFigures): Unit =
    for ((kind, its) <- other.counts; (count, bucket) <- its.zipWithIndex) of(kind)(bucket) += count

  def count(kind: RequestKind): Long = counts.get(kind).fold(0L)(_.sum)

  /** The latency in milliseconds that this share of the requests doesn't exceed, within 20%; 0 without requests. */
  def latency(kind: RequestKind, share: Double): Double = {
    val its = counts.getOrElse(kind, Array.empty[Long])
    val rank = math.max(1, math.ceil(share * its.sum).toLong)
    val upTo = its.scanLeft(0L)(_ + _).tail
    upTo.indexWhere(_ >= rank) match {
      case -1 => 0
      case bucket => LatencyBucket.middleMillis(bucket)
    }
  }

  /** The sum of the latencies in milliseconds, estimated from the buckets. */
  def millis: Double = counts.values.map(_.zipWithIndex.map { case (count, bucket) =>
    count * LatencyBucket.middleMillis(bucket)
  }.sum).sum

  private def of(kind: RequestKind): Array[Long] =
    counts.getOrElseUpdate(kind, new Array[Long](LatencyBucket.Number))
}

object RequestFigures {
  private val Cell = """(\w+)@(\d{1,3})""".r

  /** Reads the cells `KIND@BUCKET=COUNT` of an update of [[Samples.Accumulable]]; the others are samples. */
  def parse(update: String): Map[String, Int] = Samples.cells(update, '@')
}
