package org.sparkhpc.container

import java.nio.ByteBuffer
import java.nio.charset.StandardCharsets.US_ASCII
import java.util.zip.CRC32

/** The header of a container, a file with the outputs that the map tasks of one executor wrote for one shuffle.
  *
  * {{{
  * container  = header index data
  * header     = magic version shuffle dataStart crc     ; bytes 0 to 27
  * magic      = "SparkHPC"
  * index      = record* zeros mark                      ; up to dataStart
  * mark       = the header's crc again                  ; so a file that is shorter than this was cut off
  * data       = outputs, at the places in the records; and bytes that were never published
  *
  * record     = size body crc                           ; published when it is complete: Record
  * output     = block*                                  ; its extents, one after the other
  * block      = bytes crc                               ; one for each partition that isn't empty
  * }}}
  *
  * `version`, `shuffle`, `size` and each `crc` have four bytes, `dataStart` has eight, all in big-endian order. A
  * crc is the CRC-32 of the bytes before it in its header, record (with the size) or block: Java 8 uses a
  * processor instruction for CRC-32, but not for CRC-32C. The zeros are a hole in the file and take no space. The
  * index has a region of its own, so that one file and one open serve for index and data, and a reader gets the
  * whole index with one or two reads.
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

  /** Reads the header. Throws DamagedContainer if it is missing or of another version. */
  def read(bytes: Bytes): ContainerHeader =
    read(bytes.some(ByteBuffer.allocate(Size), 0), bytes.name)

  /** Takes the header from a file's first bytes; the position is then after it.
    *
    * @param name of the file
    */
  def read(in: ByteBuffer, name: String): ContainerHeader = {
    def damaged(what: String) = throw new DamagedContainer(s"$name: header: $what")
    if (in.remaining < Size) damaged(s"the file has only ${in.remaining} bytes")
    val magic = new Array[Byte](Magic.length)
    in.get(magic)
    if (!magic.sameElements(Magic)) damaged("this is no container")
    if (in.getInt(Size - CrcSize) != crc(in.array(), Size - CrcSize)) damaged("wrong checksum")
    val version = in.getInt()
    if (version != Version) damaged(s"version $version is not $Version")
    val header = ContainerHeader(in.getInt(), in.getLong())
    in.position(Size)
    header
  }

  private def crc(bytes: Array[Byte], count: Int): Int = {
    val crc = new CRC32
    crc.update(bytes, 0, count)
    crc.getValue.toInt
  }
}
