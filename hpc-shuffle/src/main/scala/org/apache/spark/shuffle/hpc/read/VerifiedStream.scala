package org.apache.spark.shuffle.hpc.read

import java.io.{ByteArrayInputStream, InputStream}

import org.apache.commons.io.IOUtils
import org.apache.spark.TaskContext

/** What blocks of a container hold, for a task that deserializes them, which may fail by damaged bytes
  * before it comes to their checksum: then it would find the same each time, and its job would fail.
  *
  * A small block is looked at whole before its first byte is read. So is a large one by a task that failed
  * before; to others its checksum is told where it stands, for it would have to be read twice.
  *
  * @param open begins anew
  */
private[hpc] final class VerifiedStream(length: Long, open: () => InputStream) extends InputStream {
  import VerifiedStream._

  // Spark doesn't expect an error before the first read.
  private lazy val in: InputStream =
    if (length <= Small) new ByteArrayInputStream(IOUtils.readFully(open(), length.toInt))
    else {
      if (isTriedAgain) IOUtils.consume(open()): Unit
      open()
    }

  override def read(): Int = in.read()

  override def read(to: Array[Byte], from: Int, count: Int): Int = in.read(to, from, count)

  override def skip(count: Long): Long = in.skip(count)

  override def available(): Int = in.available()
}

private[hpc] object VerifiedStream {

  /** Bytes of a block that may be held in memory. */
  val Small: Long = 1L << 20

  private def isTriedAgain: Boolean = Option(TaskContext.get()).exists(_.attemptNumber() > 0)
}
