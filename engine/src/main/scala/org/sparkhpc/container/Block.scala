package org.sparkhpc.container

import java.nio.ByteBuffer
import java.util.zip.{CRC32, Checksum}

/** The partitions of a map output from `start` to before `end`, as a reader requests them. */
final case class Block(mapTaskId: Long, start: Int, end: Int)

object Block {

  /** Copies blocks without their checksums to `to`, from its position on. Throws DamagedContainer if a checksum
    * is wrong.
    *
    * @param framed blocks with their checksums; `to` may be the same memory
    * @param lengths of the partitions, without checksums
    */
  def content(framed: ByteBuffer, lengths: Array[Long], to: ByteBuffer): ByteBuffer = {
    val start = to.position()
    val crc = new CRC32
    for (length <- lengths if length > 0) {
      val block = framed.duplicate()
      block.limit(block.position() + length.toInt)
      framed.position(block.limit())
      crc.update(block.duplicate())
      check(crc, framed.getInt())
      crc.reset()
      to.put(block)
    }
    to.limit(to.position())
    to.position(start)
    to.slice()
  }

  private[container] def check(crc: Checksum, written: Int): Unit =
    if (crc.getValue.toInt != written) {
      // Spark's own words, for which logs are searched.
      throw new DamagedContainer(
        f"a block is corrupted due to DISK_ISSUE: its checksum is ${crc.getValue}%08x, not $written%08x"
      )
    }
}
