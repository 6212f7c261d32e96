package org.sparkhpc.container

import java.io.{IOException, InputStream, OutputStream}
import java.nio.ByteBuffer

import scala.util.{Failure, Success, Try}

import org.apache.commons.io.IOUtils

/** Reads blocks of a container, and checks them. */
final class ContainerReader(bytes: Bytes, index: ContainerIndex) {
  import ContainerReader._

  /** Reads blocks that fit in memory, with the reads of a [[ReadPlan]]. Calls `answer` once for each block, with
    * its bytes or an IOException. Returns the number of reads.
    */
  def read(blocks: Seq[Block])(answer: (Block, Try[ByteBuffer]) => Unit): Int = {
    val found = blocks.map(block => block -> naming(block)(extents(block)))
    for ((block, Failure(failure)) <- found) answer(block, Failure(failure))
    val reads = plan(for ((block, Success(pieces)) <- found) yield new IncomingBlock(block, pieces))
    for ((block, Success(Nil)) <- found) answer(block, Success(ByteBuffer.allocate(0)))
    perform(reads)(answer)
    reads.size
  }

  /** The number of reads that these blocks take. Throws an IOException if the container lacks one of them. */
  def count(blocks: Seq[Block]): Int =
    plan(blocks.map(block => new IncomingBlock(block, extents(block)))).size

  /** The lengths of all partitions of an output. Throws an IOException if it can't be read. */
  def lengths(mapTaskId: Long): Array[Long] = {
    val found = output(mapTaskId)
    found.lengths(0, found.partitions)
  }

  /** The length of a block in bytes. Throws an IOException if it can't be read. */
  def length(block: Block): Long = lengths(block).sum

  /** Reads a block as its bytes are requested. Throws an IOException where they can't be read. */
  def stream(block: Block): InputStream = naming(block) {
    val framed = new ExtentsStream(bytes, extents(block))
    new BlocksStream(framed, lengths(block), check => naming(block)(check()).get)
  }.get

  /** Writes a block to `to`. After an IOException, the written bytes are useless. */
  def copy(block: Block, to: OutputStream): Unit =
    IOUtils.copyLarge(stream(block), to): Unit

  private def plan(blocks: Seq[IncomingBlock]): Seq[ReadPlan.Read[Piece]] = ReadPlan.of {
    for (incoming <- blocks; (extent, at) <- incoming.pieces.zipWithIndex)
      yield (extent, Piece(incoming, at))
  }

  /** Performs the reads, and answers for each block when all of its pieces were read. */
  private def perform(reads: Seq[ReadPlan.Read[Piece]])(
      answer: (Block, Try[ByteBuffer]) => Unit
  ): Unit =
    for (read <- reads) {
      val came = Try(fill(read))
      for {
        (_, piece) <- read.parts
        framed <- piece.of.came(came)
      } answer(piece.of.block, framed.flatMap(content(piece.of.block, _)))
    }

  private def fill(read: ReadPlan.Read[Piece]): Unit = read.parts match {
    case Seq((extent, piece)) => bytes.fill(piece.room, extent.offset): Unit
    case parts =>
      val length = Math.toIntExact(read.extent.length)
      val all = bytes.fill(ByteBuffer.allocate(length), read.extent.offset)
      for ((extent, piece) <- parts) {
        val part = all.duplicate()
        part.position((extent.offset - read.extent.offset).toInt)
        part.limit(part.position() + extent.length.toInt)
        piece.room.put(part)
      }
  }

  private def content(block: Block, framed: ByteBuffer): Try[ByteBuffer] =
    naming(block)(Block.content(framed, lengths(block), framed.duplicate()))

  private def naming[A](block: Block)(read: => A): Try[A] = Try(read).recover {
    case wrong: DamagedContainer =>
      throw new DamagedContainer(s"${bytes.name}: $block: ${wrong.getMessage}")
  }

  private def extents(block: Block): Seq[Extent] =
    output(block.mapTaskId).extents(block.start, block.end)

  private def lengths(block: Block): Array[Long] =
    output(block.mapTaskId).lengths(block.start, block.end)

  private def output(mapTaskId: Long): MapOutput = index.get(mapTaskId).getOrElse {
    val why = index.damage.getOrElse(s"${bytes.name} has no such output")
    throw new IOException(s"map output $mapTaskId can't be read: $why")
  }
}

private object ContainerReader {

  private final case class Piece(of: IncomingBlock, at: Int) {
    def room: ByteBuffer = of.room(at)
  }
}
