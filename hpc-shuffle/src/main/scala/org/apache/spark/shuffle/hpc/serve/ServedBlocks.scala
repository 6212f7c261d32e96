package org.apache.spark.shuffle.hpc.serve

import java.nio.ByteBuffer

import scala.util.Try

import org.apache.commons.io.IOUtils
import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.shuffle.hpc.place.ContainerFile
import org.apache.spark.shuffle.hpc.read.{
  ContainerBlockData,
  ContainerFiles,
  HeldBytes,
  VerifiedStream
}
import org.apache.spark.util.Utils
import org.sparkhpc.container.Block

/** Blocks of this executor's containers, as they are sent to others.
  *
  *  1. A small block is checked before its first byte is sent: an error then reaches the reader as an answer.
  *  1. A large block is checked as it is sent. Where it is damaged the connection is closed, and the reader
  *     asks for it elsewhere: to check it before would take as long as to send it.
  *  1. Blocks are kept in the heap while they are sent only as far as [[HeldBytes]] has room: slow readers can
  *     ask for any number of them at once. Other blocks are read again, piece by piece, as the connection
  *     takes them.
  */
private[hpc] final class ServedBlocks(files: ContainerFiles, held: HeldBytes) {

  /** An IOException if the block can't be read. */
  def of(container: ContainerFile, block: Block): ManagedBuffer = {
    val reader = files.reader(container, block)
    val length = reader.length(block)
    def streamed = new ContainerBlockData(length, () => reader.stream(block))
    if (length > VerifiedStream.Small) streamed
    else
      held.room(length) match {
        case Some(room) => Utils.tryWithResource(room)(_.filled(whole(container, block)))
        case None =>
          IOUtils.consume(reader.stream(block)): Unit
          streamed
      }
  }

  private def whole(container: ContainerFile, block: Block): ByteBuffer = {
    var found: Try[ByteBuffer] = null
    files.read(container, Seq(block))((_: Block, content: Try[ByteBuffer]) => found = content)
    found.get
  }
}
