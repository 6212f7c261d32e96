package org.apache.spark.hpc.retain

import java.util.concurrent.ConcurrentHashMap

/** What it takes to write a block to scratch and to read it back, by what it took so far.
  *
  * Per byte that the block takes in memory, serialization included. That differs by RDD: an object of
  * three fields takes a hundred times as long as an array with as many bytes. So each RDD has figures of
  * its own, once there is a sample of it or one of its blocks was written or read. All methods are
  * thread-safe; an update that is lost in a race is no harm.
  *
  * @param nanosPerByte what is assumed of the disk until something was measured
  */
final class DiskSpeed(nanosPerByte: Double = DiskSpeed.NanosPerByte) {
  import DiskSpeed._

  private val ofAll = new Figures(nanosPerByte, nanosPerByte)
  private val byRdd = new ConcurrentHashMap[Int, Figures]

  def wrote(bytes: Long, nanos: Long, rdd: Int = NoRdd): Unit = if (bytes > 0) {
    ofAll.writing.add(bytes, nanos)
    own(rdd).foreach(_.writing.add(bytes, nanos))
  }

  def read(bytes: Long, nanos: Long, rdd: Int = NoRdd): Unit = if (bytes > 0) {
    ofAll.reading.add(bytes, nanos)
    own(rdd).foreach(_.reading.add(bytes, nanos))
  }

  /** A sample of the RDD's elements, which take so many bytes in memory, was serialized and read again
    * without a disk.
    */
  def sampled(rdd: Int, bytes: Long, nanosToWrite: Long, nanosToRead: Long): Unit = if (bytes > 0) {
    val write = nanosPerByte + nanosToWrite.toDouble / bytes
    val read = nanosPerByte + nanosToRead.toDouble / bytes
    byRdd.putIfAbsent(rdd, new Figures(write, read)): Unit
  }

  def isSampled(rdd: Int): Boolean = byRdd.containsKey(rdd)

  def nanosToWrite(bytes: Long, rdd: Int = NoRdd): Double = of(rdd).writing.perByte * bytes

  def nanosToRead(bytes: Long, rdd: Int = NoRdd): Double = of(rdd).reading.perByte * bytes

  /** The RDD isn't persisted any more. */
  def forget(rdd: Int): Unit = byRdd.remove(rdd): Unit

  private def of(rdd: Int): Figures = byRdd.getOrDefault(rdd, ofAll)

  private def own(rdd: Int): Option[Figures] = Option(byRdd.get(rdd))
}

object DiskSpeed {

  /** 200 MB a second. */
  val NanosPerByte = 5.0

  private val NoRdd = -1

  private final class Figures(write: Double, read: Double) {
    val writing = new Mean(write)
    val reading = new Mean(read)
  }

  /** The mean of the first ten measurements, of which what was assumed is one; then they age. */
  private final class Mean(assumed: Double) {
    @volatile private var mean = assumed
    @volatile private var measurements = 1

    def perByte: Double = mean

    def add(bytes: Long, nanos: Long): Unit = {
      measurements += 1
      val weight = math.max(0.1, 1.0 / measurements)
      mean = (1 - weight) * mean + weight * nanos / bytes
    }
  }
}
