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

/** Provides blocks of this executor's containers to be sent to other executors.
  *
  *  1. A small block is verified before its first byte is sent, so that the reader gets an error as the answer.
  *  1. A large block is verified while it is sent, because verifying it before would take as long as sending it. If it
  *     is damaged, the connection is closed, and the reader requests it elsewhere.
  *  1. A block is kept in the heap while it is sent only if [[HeldBytes]] has room, because slow readers can request
  *     any number of blocks at once. Other blocks are read again, piece by piece, as the connection takes them.
  */
private[hpc] final class ServedBlocks(files: ContainerFiles, held: HeldBytes) {

  /** Throws an IOException if the block can't be read. */
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
