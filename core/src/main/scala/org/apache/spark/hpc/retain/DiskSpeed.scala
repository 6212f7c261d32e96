package org.apache.spark.hpc.retain

import java.util.concurrent.ConcurrentHashMap

/** What it takes to write a block to scratch and to read it back, by what it took so far.
  *
  * Per byte that the block takes in memory, serialization included. That differs by RDD: objects of three
  * fields take a hundred times as long as an array with as many bytes. So an RDD has figures of its own
  * once there is a sample of it. All methods are thread-safe; an update that is lost in a race is no harm.
  *
  * @param nanosPerByte what is assumed of the disk until something was measured
  */
final class DiskSpeed(nanosPerByte: Double = DiskSpeed.NanosPerByte) {
  import DiskSpeed._

  private val writing, reading = new Direction(nanosPerByte)

  def wrote(bytes: Long, nanos: Long, rdd: Int = NoRdd): Unit = writing.took(rdd, bytes, nanos)

  def read(bytes: Long, nanos: Long, rdd: Int = NoRdd): Unit = reading.took(rdd, bytes, nanos)

  /** A sample of the RDD's elements, which take so many bytes in memory, was serialized and read again
    * without a disk.
    */
  def sampled(rdd: Int, bytes: Long, nanosToWrite: Long, nanosToRead: Long): Unit = if (bytes > 0) {
    writing.sampled(rdd, nanosToWrite.toDouble / bytes)
    reading.sampled(rdd, nanosToRead.toDouble / bytes)
  }

  def isSampled(rdd: Int): Boolean = reading.isSampled(rdd)

  def nanosToWrite(bytes: Long, rdd: Int = NoRdd): Double = writing.perByte(rdd) * bytes

  def nanosToRead(bytes: Long, rdd: Int = NoRdd): Double = reading.perByte(rdd) * bytes

  /** The RDD isn't persisted any more. */
  def forget(rdd: Int): Unit = {
    writing.forget(rdd)
    reading.forget(rdd)
  }
}

object DiskSpeed {

  /** 200 MB a second. */
  val NanosPerByte = 5.0

  private val NoRdd = -1
  private val MostTimes = 4

  /** What was measured of writing, or of reading; nanoseconds for each byte. */
  private final class Direction(assumed: Double) {
    // Without the serialization of those RDDs of which that is known.
    private val disk = new Mean(assumed)
    private val byRdd = new ConcurrentHashMap[Int, OfRdd]

    def sampled(rdd: Int, serialization: Double): Unit =
      byRdd.putIfAbsent(rdd, new OfRdd(serialization)): Unit

    def isSampled(rdd: Int): Boolean = byRdd.containsKey(rdd)

    def took(rdd: Int, bytes: Long, nanos: Long): Unit = if (bytes > 0) {
      val each = nanos.toDouble / bytes
      Option(byRdd.get(rdd)) match {
        case Some(known) =>
          disk.add(math.max(0, each - known.serialization))
          val own = known.measured.getOrElse(new Mean(disk.mean + known.serialization))
          own.add(each)
          known.measured = Some(own)
        case None => disk.add(each)
      }
    }

    def perByte(rdd: Int): Double = Option(byRdd.get(rdd)).fold(disk.mean) { known =>
      known.measured.fold(disk.mean + known.serialization)(_.mean)
    }

    def forget(rdd: Int): Unit = byRdd.remove(rdd): Unit
  }

  private final class OfRdd(val serialization: Double) {
    @volatile var measured: Option[Mean] = None
  }

  /** The mean of the first ten measurements, of which what was assumed is one; then they age. One that is
    * far above the others says more of what else the node did.
    */
  private final class Mean(assumed: Double) {
    @volatile private var value = assumed
    @volatile private var measurements = 1

    def mean: Double = value

    def add(measured: Double): Unit = {
      measurements += 1
      val weight = math.max(0.1, 1.0 / measurements)
      value = (1 - weight) * value + weight * math.min(measured, MostTimes * value)
    }
  }
}
