package org.apache.spark.hpc.profile

import java.util.concurrent.TimeUnit

import scala.collection.JavaConverters._

import com.codahale.metrics.{Counting, Gauge, Metric, MetricRegistry, Timer}

/** The present values of metrics, by their names. A timer has its number of operations as `NAME.count`, and of its last
  * operations the median, the 99th percentile and the longest as `NAME.median`, `NAME.p99` and `NAME.max`, in milliseconds.
  */
private[profile] object RegistryFigures {

  def of(registry: MetricRegistry): Map[String, Double] =
    registry.getMetrics.asScala.toSeq.flatMap { case (name, metric) => of(name, metric) }.toMap

  private def of(name: String, metric: Metric): Seq[(String, Double)] = metric match {
    case timer: Timer if timer.getCount > 0 =>
      val last = timer.getSnapshot
      Seq(
        s"$name.count" -> timer.getCount.toDouble,
        s"$name.median" -> millis(last.getMedian),
        s"$name.p99" -> millis(last.get99thPercentile),
        s"$name.max" -> millis(last.getMax.toDouble)
      )
    case _: Timer => Seq.empty
    case counting: Counting => Seq(name -> counting.getCount.toDouble)
    case gauge: Gauge[_] =>
      gauge.getValue match {
        case number: Number => Seq(name -> number.doubleValue)
        case _ => Seq.empty
      }
    case _ => Seq.empty
  }

  private def millis(nanos: Double): Double = nanos / TimeUnit.MILLISECONDS.toNanos(1)
}
