package org.apache.spark.hpc.container

import java.nio.ByteBuffer
import java.util.zip.CRC32

import com.esotericsoftware.kryo.KryoException
import com.esotericsoftware.kryo.io.{Input, Output}

/** An entry of a container's index, as its bytes.
  *
  * {{{
  * record = size kind body crc       ; size: of kind and body
  * kind   = 1 | 2                    ; one byte: what the body is, a MapOutput or a Merge
  * }}}
  */
private[container] object Record {
  val OfOutput: Byte = 1
  val OfMerge: Byte = 2

  def bytes(kind: Byte)(write: Output => Unit): ByteBuffer = {
    val out = new Output(256, -1)
    out.writeInt(0)
    out.writeByte(kind)
    write(out)
    val bytes = ByteBuffer.allocate(out.position() + ContainerHeader.CrcSize)
    bytes.put(out.getBuffer, 0, out.position()).putInt(0, out.position() - Integer.BYTES)
    val crc = new CRC32
    crc.update(bytes.array(), 0, bytes.position())
    bytes.putInt(crc.getValue.toInt).flip()
    bytes
  }

  /** What is read from a kind and its body, whose checksum is right; a DamagedContainer if they make no
    * sense.
    */
  def read[A](content: Array[Byte])(read: PartialFunction[Byte, Input => A]): A =
    try {
      val in = new Input(content)
      val kind = in.readByte()
      def unknown = throw new DamagedContainer(s"there is no record of kind $kind")
      read.lift(kind).getOrElse(unknown)(in)
    } catch {
      case end: KryoException => throw new DamagedContainer(s"a record makes no sense: $end")
    }
}
