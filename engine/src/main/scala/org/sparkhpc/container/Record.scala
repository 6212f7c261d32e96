package org.sparkhpc.container

import java.nio.ByteBuffer
import java.util.zip.CRC32

import com.esotericsoftware.kryo.KryoException
import com.esotericsoftware.kryo.io.{Input, Output}

/** The bytes of an entry in a container's index.
  *
  * {{{
  * record = size body crc       ; size: of the body, a MapOutput
  * }}}
  */
private[container] object Record {

  def bytes(write: Output => Unit): ByteBuffer = {
    val out = new Output(256, -1)
    out.writeInt(0)
    write(out)
    val bytes = ByteBuffer.allocate(out.position() + ContainerHeader.CrcSize)
    bytes.put(out.getBuffer, 0, out.position()).putInt(0, out.position() - Integer.BYTES)
    val crc = new CRC32
    crc.update(bytes.array(), 0, bytes.position())
    bytes.putInt(crc.getValue.toInt).flip()
    bytes
  }

  /** Decodes a body whose checksum is right. Throws DamagedContainer if it makes no sense. */
  def read[A](body: Array[Byte])(read: Input => A): A =
    try read(new Input(body))
    catch {
      case end: KryoException => throw new DamagedContainer(s"a record can't be decoded: $end")
    }
}
