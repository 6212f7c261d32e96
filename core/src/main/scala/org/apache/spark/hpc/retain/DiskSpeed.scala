package org.apache.spark.hpc.retain

/** What it takes to write a block to scratch and to read it back, by what it took so far.
  *
  * Per byte that the block takes in memory, serialization included. All methods are thread-safe; an
  * update that is lost in a race is no harm.
  *
  * @param nanosPerByte what is assumed until something was measured
  */
final class DiskSpeed(nanosPerByte: Double = DiskSpeed.NanosPerByte) {
  import DiskSpeed._

  @volatile private var writing = nanosPerByte
  @volatile private var reading = nanosPerByte

  @volatile private var writes, reads = 1

  def wrote(bytes: Long, nanos: Long): Unit = if (bytes > 0) {
    writes += 1
    writing = blend(writing, bytes, nanos, writes)
  }

  def read(bytes: Long, nanos: Long): Unit = if (bytes > 0) {
    reads += 1
    reading = blend(reading, bytes, nanos, reads)
  }

  def nanosToWrite(bytes: Long): Double = writing * bytes

  def nanosToRead(bytes: Long): Double = reading * bytes
}

object DiskSpeed {

  /** 200 MB a second. */
  val NanosPerByte = 5.0

  /** The mean of the first ten measurements, of which what was assumed is one; then they age. */
  private def blend(before: Double, bytes: Long, nanos: Long, measurements: Int): Double = {
    val weight = math.max(0.1, 1.0 / measurements)
    (1 - weight) * before + weight * nanos / bytes
  }
}
