package org.sparkhpc.container

import java.nio.ByteBuffer

import scala.util.{Failure, Success, Try}

/** A block that is being read, in pieces that come in any order.
  *
  * @param pieces its extents in the file, with its checksums
  */
private[container] final class IncomingBlock(val block: Block, val pieces: Seq[Extent]) {
  private lazy val framed = ByteBuffer.allocate(Math.toIntExact(pieces.map(_.length).sum))
  private val begins = pieces.scanLeft(0L)(_ + _.length)
  private var missing = pieces.size
  private var failure: Option[Throwable] = None

  /** The buffer for a piece. */
  def room(piece: Int): ByteBuffer = {
    val room = framed.duplicate()
    room.limit(begins(piece + 1).toInt).position(begins(piece).toInt)
    room.slice()
  }

  /** Records that a piece was read, or couldn't be. After the last piece, returns the block with its checksums,
    * or the failure.
    */
  def came(piece: Try[Any]): Option[Try[ByteBuffer]] = {
    missing -= 1
    failure = failure.orElse(piece.failed.toOption)
    if (missing > 0) None else Some(failure.fold[Try[ByteBuffer]](Success(framed))(Failure(_)))
  }
}
