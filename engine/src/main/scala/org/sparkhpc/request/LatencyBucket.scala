package org.sparkhpc.request

/** Classes of latencies, two to each power of two, from 1 us to 2 minutes. A latency is within 20% of its bucket's
  * middle.
  */
object LatencyBucket {

  /** Buckets are numbered from 0. */
  val Number = 56

  /** The bucket of a latency. The first has all shorter ones, and the last all longer ones. */
  def of(nanos: Long): Int = {
    val octaves = math.log(math.max(1000L, nanos) / 1000.0) / math.log(2)
    math.min(Number - 1, (2 * octaves).toInt)
  }

  /** The middle of a bucket, in milliseconds. */
  def middleMillis(bucket: Int): Double = math.pow(2, (bucket + 0.5) / 2) / 1000
}
