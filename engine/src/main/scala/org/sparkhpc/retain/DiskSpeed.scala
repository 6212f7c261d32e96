package org.sparkhpc.retain

import java.util.concurrent.ConcurrentHashMap

/** What it takes to write a block to scratch and to read it back, by what it took so far.
  *
  * A block has a file of its own, which takes its time however small the block is; small blocks say how much.
  * The rest is per byte that the block takes in memory, serialization included. That differs by RDD: objects of
  * three fields take a hundred times as long as an array with as many bytes. So an RDD has figures of its own
  * once there is a sample of it. All methods are thread-safe; an update that is lost in a race is no harm.
  *
  * @param nanosPerByte what is assumed of the disk until something was measured
  * @param nanosPerBlock the same of a file
  */
final class DiskSpeed(
    nanosPerByte: Double = DiskSpeed.NanosPerByte,
    nanosPerBlock: Double = DiskSpeed.NanosPerBlock
) {
  import DiskSpeed._

  private val writing, reading = new Direction(nanosPerByte, nanosPerBlock)

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

  /** @param bytes of all the blocks */
  def nanosToWrite(bytes: Long, rdd: Int = NoRdd, blocks: Long = 1): Double =
    writing.nanos(bytes, rdd, blocks)

  /** @param bytes of all the blocks */
  def nanosToRead(bytes: Long, rdd: Int = NoRdd, blocks: Long = 1): Double =
    reading.nanos(bytes, rdd, blocks)

  /** The RDD isn't persisted any more. */
  def forget(rdd: Int): Unit = {
    writing.forget(rdd)
    reading.forget(rdd)
  }
}

object DiskSpeed {

  /** 200 MB a second. */
  val NanosPerByte = 5.0

  /** Of a file on a disk of the node. */
  val NanosPerBlock = 100000.0

  private val NoRdd = -1
  private val MostTimes = 4

  // With fewer bytes it is the file that takes the time.
  private val SmallBytes = 16L << 10

  /** What was measured of writing, or of reading, in nanoseconds. */
  private final class Direction(perByte: Double, perBlock: Double) {
    private val file = new Mean(perBlock)
    // For each byte, without the serialization of those RDDs of which that is known.
    private val disk = new Mean(perByte)
    private val byRdd = new ConcurrentHashMap[Int, OfRdd]

    def sampled(rdd: Int, serialization: Double): Unit =
      byRdd.putIfAbsent(rdd, new OfRdd(serialization)): Unit

    def isSampled(rdd: Int): Boolean = byRdd.containsKey(rdd)

    def took(rdd: Int, bytes: Long, nanos: Long): Unit = {
      val known = Option(byRdd.get(rdd))
      def serialization = known.fold(0.0)(_.serialization)
      if (bytes >= SmallBytes) {
        val each = math.max(0, nanos - file.mean) / bytes
        disk.add(math.max(0, each - serialization))
        for (its <- known) {
          val own = its.measured.getOrElse(new Mean(disk.mean + serialization))
          own.add(each)
          its.measured = Some(own)
        }
      } else if (bytes > 0) {
        file.add(math.max(0, nanos - bytes * (disk.mean + serialization)))
      }
    }

    def nanos(bytes: Long, rdd: Int, blocks: Long): Double =
      file.mean * blocks + bytes * Option(byRdd.get(rdd)).fold(disk.mean) { known =>
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
