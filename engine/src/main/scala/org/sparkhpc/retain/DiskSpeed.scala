package org.sparkhpc.retain

import java.util.concurrent.ConcurrentHashMap

/** Estimates the time to write a block to scratch and to read it back, from earlier writes and reads.
  *
  * Each block has a file of its own, which takes a fixed time; small blocks show how long. The rest of the time
  * is proportional to the block's bytes in memory, serialization included. It differs by RDD: objects of three
  * fields take a hundred times as long as an array with as many bytes. So an RDD has figures of its own once it
  * was sampled. All methods are thread-safe; an update that is lost in a race does no harm.
  *
  * @param nanosPerByte the assumed time per byte until something was measured
  * @param nanosPerBlock the assumed time per file until then
  */
class DiskSpeed(
    nanosPerByte: Double = DiskSpeed.NanosPerByte,
    nanosPerBlock: Double = DiskSpeed.NanosPerBlock
) {
  import DiskSpeed._

  private val writing, reading = new Direction(nanosPerByte, nanosPerBlock)

  def wrote(bytes: Long, nanos: Long, rdd: Int = NoRdd): Unit = writing.took(rdd, bytes, nanos)

  def read(bytes: Long, nanos: Long, rdd: Int = NoRdd): Unit = reading.took(rdd, bytes, nanos)

  /** Records how long it took to serialize a sample of the RDD's elements and to read it again, without a disk.
    *
    * @param bytes of the sample in memory
    */
  def sampled(rdd: Int, bytes: Long, nanosToWrite: Long, nanosToRead: Long): Unit = if (bytes > 0) {
    writing.sampled(rdd, nanosToWrite.toDouble / bytes)
    reading.sampled(rdd, nanosToRead.toDouble / bytes)
  }

  def isSampled(rdd: Int): Boolean = reading.isSampled(rdd)

  /** @param bytes of all blocks together */
  def nanosToWrite(bytes: Long, rdd: Int = NoRdd, blocks: Long = 1): Double =
    writing.nanos(bytes, rdd, blocks)

  /** @param bytes of all blocks together */
  def nanosToRead(bytes: Long, rdd: Int = NoRdd, blocks: Long = 1): Double =
    reading.nanos(bytes, rdd, blocks)

  /** Forgets the RDD, which isn't persisted any more. */
  def forget(rdd: Int): Unit = {
    writing.forget(rdd)
    reading.forget(rdd)
  }
}

object DiskSpeed {

  /** 200 MB a second. */
  val NanosPerByte = 5.0

  /** 100 us for a file on a disk of the node. */
  val NanosPerBlock = 100000.0

  private val NoRdd = -1
  private val MostTimes = 4

  // With fewer bytes, the file itself takes most of the time.
  private val SmallBytes = 16L << 10

  /** The measurements of writing, or of reading, in nanoseconds. */
  private final class Direction(perByte: Double, perBlock: Double) {
    private val file = new Mean(perBlock)
    // Per byte, without serialization if that of the RDD is known.
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

  /** The mean of the first ten values, the assumed one included; later ones have a weight of a tenth. A value
    * counts as four times the mean at most: one far above says more about the node's other work.
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
