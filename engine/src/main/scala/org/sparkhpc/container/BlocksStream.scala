package org.sparkhpc.container

import java.io.InputStream
import java.nio.ByteBuffer
import java.util.zip.CRC32

import com.google.common.io.ByteStreams

/** Reads blocks, one after the other, without their checksums. Throws DamagedContainer at the end of a block
  * whose checksum is wrong.
  *
  * @param framed the blocks with their checksums
  * @param lengths of the partitions, without checksums
  * @param naming runs a check, and names the block in its error
  */
private[container] final class BlocksStream(
    framed: InputStream,
    lengths: Array[Long],
    naming: (() => Unit) => Unit
) extends InputStream {

  private val rest = lengths.iterator.filter(_ > 0)
  private var left = 0L
  private val crc = new CRC32
  private val one = new Array[Byte](1)

  override def read(): Int = if (read(one, 0, 1) < 0) -1 else one(0) & 0xff

  override def read(to: Array[Byte], from: Int, count: Int): Int =
    if (count == 0) 0
    else if (left == 0 && !rest.hasNext) -1
    else {
      if (left == 0) left = rest.next()
      val some = math.min(left, count.toLong).toInt
      ByteStreams.readFully(framed, to, from, some)
      crc.update(to, from, some)
      left -= some
      if (left == 0) endBlock()
      some
    }

  override def available(): Int = math.min(left, framed.available.toLong).toInt

  override def close(): Unit = framed.close()

  private def endBlock(): Unit = {
    val written = new Array[Byte](ContainerHeader.CrcSize)
    ByteStreams.readFully(framed, written)
    naming(() => Block.check(crc, ByteBuffer.wrap(written).getInt))
    crc.reset()
  }
}
