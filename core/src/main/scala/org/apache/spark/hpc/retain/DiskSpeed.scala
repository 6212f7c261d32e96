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

  def wrote(bytes: Long, nanos: Long): Unit = writing = blend(writing, bytes, nanos)

  def read(bytes: Long, nanos: Long): Unit = reading = blend(reading, bytes, nanos)

  def nanosToWrite(bytes: Long): Double = writing * bytes

  def nanosToRead(bytes: Long): Double = reading * bytes
}

object DiskSpeed {

  /** 200 MB a second. */
  val NanosPerByte = 5.0

  private def blend(before: Double, bytes: Long, nanos: Long): Double =
    if (bytes <= 0) before else 0.9 * before + 0.1 * nanos / bytes
}
