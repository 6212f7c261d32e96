package org.apache.spark.shuffle.hpc.read

import java.io.{IOException, InputStream}
import java.nio.ByteBuffer
import java.nio.channels.WritableByteChannel

import com.google.common.io.ByteStreams

import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.util.AbstractFileRegion

/** The content of blocks of a container, which is read on demand and verified while it is read.
  *
  * @param open opens a new stream from the beginning; it throws an IOException where something is wrong
  */
private[hpc] final class ContainerBlockData(length: Long, open: () => InputStream)
    extends ManagedBuffer {

  override def size(): Long = length

  override def nioByteBuffer(): ByteBuffer = {
    val bytes = new Array[Byte](Math.toIntExact(length))
    val in = open()
    try ByteStreams.readFully(in, bytes)
    finally in.close()
    ByteBuffer.wrap(bytes)
  }

  override def createInputStream(): InputStream = open()

  /** The content as a region, which Spark's encoder sends piece by piece. */
  override def convertToNetty(): AnyRef = new ContainerBlockData.Region(length, open)

  override def retain(): ManagedBuffer = this

  override def release(): ManagedBuffer = this
}

private[hpc] object ContainerBlockData {
  private val Nothing = ByteBuffer.allocate(0)

  /** The content of a block that is sent from buffers of `buffers`. */
  private[read] final class Region(
      length: Long,
      open: () => InputStream,
      buffers: SendBuffers = SendBuffers.ofProcess
  ) extends AbstractFileRegion {
    private var in = Option.empty[InputStream]
    // Taken only while the region is being sent, not while it waits.
    private var buffer = Nothing
    private var sent = 0L

    override def position(): Long = 0
    override def transferred(): Long = sent
    override def count(): Long = length

    override def transferTo(to: WritableByteChannel, position: Long): Long = {
      if (!buffer.hasRemaining) fill()
      val count = to.write(buffer).toLong
      sent += count
      if (sent == length) giveBack()
      count
    }

    private def fill(): Unit = {
      // One that is as large as can be is kept; a smaller one was taken while others had much.
      if (buffer.capacity < SendBuffers.Most) {
        giveBack()
        buffer = buffers.take(length - sent)
      }
      buffer.clear()
      val most = math.min(length - sent, buffer.capacity.toLong).toInt
      val count = ByteStreams.read(stream(), buffer.array(), 0, most)
      buffer.limit(count)
      if (count == 0 && sent < length)
        throw new IOException(s"only $sent of $length bytes of the block could be read")
    }

    private def stream(): InputStream = in.getOrElse {
      val opened = open()
      in = Some(opened)
      opened
    }

    private def giveBack(): Unit = {
      buffers.give(buffer)
      buffer = Nothing
    }

    override protected def deallocate(): Unit = {
      giveBack()
      in.foreach(_.close())
    }
  }
}
