package org.apache.spark.shuffle.hpc.read

import java.io.{ByteArrayInputStream, InputStream}

import org.apache.commons.io.IOUtils
import org.apache.spark.TaskContext

/** The content of blocks of a container, for a task that deserializes it.
  *
  * Deserialization of damaged bytes may fail before the task reaches their checksum. Each attempt would then fail in
  * the same way, and finally the job. A small block is therefore verified before its first byte is read. A large block
  * is verified first only if the task has failed before, because that reads the block twice. Otherwise its checksum is
  * verified when the task reaches it.
  *
  * @param open opens a new stream from the beginning
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

  /** The most bytes of a block that is held in memory. */
  val Small: Long = 1L << 20

  private def isTriedAgain: Boolean = Option(TaskContext.get()).exists(_.attemptNumber() > 0)
}
