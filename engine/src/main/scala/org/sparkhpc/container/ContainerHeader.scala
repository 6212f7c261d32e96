package org.sparkhpc.container

import java.nio.ByteBuffer
import java.nio.charset.StandardCharsets.US_ASCII
import java.util.zip.CRC32

/** The beginning of a container: a file with the outputs that the map tasks of one executor wrote for
  * one shuffle.
  *
  * {{{
  * container  = header index data
  * header     = magic version shuffle dataStart crc     ; bytes 0 to 27
  * magic      = "SparkHPC"
  * index      = record* zeros mark                      ; up to dataStart
  * mark       = the header's crc again                  ; so that a file cut here is known by its length
  * data       = what the records say: outputs; and bytes that were never published
  *
  * record     = size kind body crc                      ; published when it is whole: Record
  * output     = block*                                  ; its extents, one after the other
  * block      = bytes crc                               ; one for each partition that isn't empty
  * }}}
  *
  * `version`, `shuffle`, `size` and each `crc` have four bytes, `dataStart` has eight; the high byte comes
  * first. A crc is the CRC-32 of what stands before it in its header, record (with the size) or block;
  * Java 8 has an instruction of the processor for that one and not for CRC-32C. Zeros are a hole in the
  * file and cost nothing: the index has room of its own, so that one file and one open serve for both, and
  * a reader has all of it with one or two reads.
  */
final case class ContainerHeader(shuffle: Int, dataStart: Long) {
  import ContainerHeader._

  def bytes: ByteBuffer = {
    val to = ByteBuffer.allocate(Size).put(Magic).putInt(Version).putInt(shuffle).putLong(dataStart)
    to.putInt(crc(to.array(), Size - CrcSize))
    to.flip()
    to
  }

  /** The last bytes of the index. */
  def mark: ByteBuffer = {
    val to = ByteBuffer.allocate(CrcSize).putInt(bytes.getInt(Size - CrcSize))
    to.flip()
    to
  }

  def markAt: Long = dataStart - CrcSize
}

object ContainerHeader {
  val Size = 28
  val CrcSize = 4

  private val Magic = "SparkHPC".getBytes(US_ASCII)
  private val Version = 3

  /** A DamagedContainer if it isn't there, or isn't of this version. */
  def read(bytes: Bytes): ContainerHeader = {
    val in = bytes.some(ByteBuffer.allocate(Size), 0)
    def damaged(what: String) = throw new DamagedContainer(s"${bytes.name}: header: $what")
    if (in.remaining < Size) damaged(s"the file has only ${in.remaining} bytes")
    val magic = new Array[Byte](Magic.length)
    in.get(magic)
    if (!magic.sameElements(Magic)) damaged("this is no container")
    if (in.getInt(Size - CrcSize) != crc(in.array(), Size - CrcSize)) damaged("wrong checksum")
    val version = in.getInt()
    if (version != Version) damaged(s"version $version is not $Version")
    ContainerHeader(in.getInt(), in.getLong())
  }

  private def crc(bytes: Array[Byte], count: Int): Int = {
    val crc = new CRC32
    crc.update(bytes, 0, count)
    crc.getValue.toInt
  }
}
