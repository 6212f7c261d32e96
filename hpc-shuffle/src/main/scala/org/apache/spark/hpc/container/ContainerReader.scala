package org.apache.spark.hpc.container

import java.io.{IOException, InputStream, OutputStream}
import java.nio.ByteBuffer

import scala.util.Try

import org.apache.commons.io.IOUtils

/** Reads blocks of a container, and checks them. */
final class ContainerReader(bytes: Bytes, index: ContainerIndex) {

  /** Reads blocks that fit in memory, with as few reads as [[ReadPlan]] says; tells of each what it holds,
    * or an IOException, once.
    *
    * @return how many reads it took
    */
  def read(blocks: Seq[Block])(answer: (Block, Try[ByteBuffer]) => Unit): Int = {
    val found = blocks.map(block => block -> naming(block)(extents(block)))
    for ((block, extents) <- found; failure <- extents.failed) answer(block, Try(throw failure))
    val whole = for ((block, extents) <- found; pieces <- extents.toOption) yield (block, pieces)
    val (single, others) = whole.partition(_._2.size == 1)
    for ((block, pieces) <- others) answer(block, Try(apart(block, pieces)))
    val reads = ReadPlan.of(single.map { case (block, pieces) => pieces.head -> block })
    for (read <- reads) {
      val all = Try(bytes.fill(
        ByteBuffer.allocate(Math.toIntExact(read.extent.length)),
        read.extent.offset
      ))
      for ((extent, block) <- read.parts)
        answer(
          block,
          all.flatMap { all =>
            val part = all.duplicate()
            part.position((extent.offset - read.extent.offset).toInt)
            // What others have a part of would be kept whole for each of them.
            val isShared = read.parts.size > 1
            content(
              block,
              part,
              if (isShared) ByteBuffer.allocate(extent.length.toInt) else part.duplicate()
            )
          }
        )
    }
    reads.size + others.map(_._2.size).sum
  }

  /** The lengths of all partitions of an output; an IOException if it can't be read. */
  def lengths(mapTaskId: Long): Array[Long] = {
    val found = output(mapTaskId)
    found.lengths(0, found.partitions)
  }

  /** How many bytes a block has; an IOException if it can't be read. */
  def length(block: Block): Long = lengths(block).sum

  /** What a block holds, read as it is taken; an IOException where it can't be. */
  def stream(block: Block): InputStream = naming(block) {
    val framed = new ExtentsStream(bytes, extents(block))
    new BlocksStream(framed, lengths(block), check => naming(block)(check()).get)
  }.get

  /** Writes a block to `to`; what was written is no use after an IOException. */
  def copy(block: Block, to: OutputStream): Unit =
    IOUtils.copyLarge(stream(block), to): Unit

  private def apart(block: Block, pieces: Seq[Extent]): ByteBuffer = {
    val framed = ByteBuffer.allocate(Math.toIntExact(pieces.map(_.length).sum))
    for (piece <- pieces) {
      framed.limit(framed.position() + piece.length.toInt)
      bytes.fill(framed, piece.offset)
      framed.position(framed.limit())
    }
    framed.flip()
    content(block, framed, framed.duplicate()).get
  }

  private def content(block: Block, framed: ByteBuffer, to: ByteBuffer): Try[ByteBuffer] =
    naming(block)(Block.content(framed, lengths(block), to))

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
