package org.sparkhpc.tier

import java.io.{EOFException, File, IOException, OutputStream}
import java.nio.ByteBuffer
import java.nio.channels.{ClosedChannelException, WritableByteChannel}

import com.google.common.io.Closeables
import org.sparkhpc.request.{RequestKind, Requests}

/** Writes a new scratch file. When its tier has no more room, the file moves to the next tier and continues
  * there.
  *
  *  1. The bytes that were written before are copied to the next tier first: no byte is lost or written twice.
  *  1. When no tier takes the next bytes, the file is deleted, and each write fails from then on.
  *  1. If the tier reports an error at the close, bytes may be lost: the file is deleted and the close fails.
  *  1. The stream has no buffer, and is for one thread at a time.
  *
  * @param mayUse which tiers may be used
  * @param giveRoom makes room for so many bytes when no tier takes them; false if it couldn't
  */
final class TierStream(
    file: ScratchFile,
    tiers: Tiers,
    mayUse: Tier => Boolean = _ => true,
    giveRoom: Long => Boolean = _ => false
) extends OutputStream
    with WritableByteChannel {
  import TierStream._

  private var out: TierOutput = _
  private var written = 0L
  private var failure: Option[IOException] = None
  private var open = true

  /** How many bytes the file has. */
  def position: Long = written

  override def write(byte: Int): Unit = write(Array(byte.toByte))

  override def write(bytes: Array[Byte], offset: Int, length: Int): Unit =
    append(length)(out.write(bytes, offset, length))

  override def write(bytes: ByteBuffer): Int = {
    val length = bytes.remaining
    val begin = bytes.position()
    append(length) {
      bytes.position(begin) // a refused write may have taken a part
      out.write(bytes)
    }
    length
  }

  /** Makes the file, even if nothing will be written. */
  def create(): Unit = append(0)(())

  /** Returns when the device has what was written. */
  def sync(): Unit = if (out != null) out.sync()

  override def isOpen: Boolean = open

  override def close(): Unit = if (open) {
    if (out != null && out.holdsBytes) append(0)(out.finish())
    open = false
    if (out != null) {
      try out.close()
      catch {
        case refusal: IOException =>
          // A file without a tier was deleted meanwhile, and nobody wants its bytes.
          for (tier <- file.tier) {
            tiers.refused(tier, refusal)
            failure = Some(new LostAtClose(file.getName, tier, refusal))
            file.delete()
          }
          failure.foreach(throw _)
      }
    }
  }

  /** Closes the stream, and keeps only the first `length` bytes of the file. */
  def truncate(length: Long): Unit =
    try
      if (open && written > length) {
        out.truncate(length)
        written = length
        file.settle(length)
      }
    finally close()

  private def append(bytes: Int)(write: => Unit): Unit = {
    for (thrown <- failure) throw thrown
    if (!open) throw new ClosedChannelException
    try {
      while (!isAppended(bytes)(write)) {
        if (!tiers.all.exists(_.foundRoom()) && !giveRoom(written + bytes))
          throw new NoRoom(file.getName, written + bytes, tiers.all)
        beginAgain()
      }
      written += bytes
    } catch {
      case thrown: IOException =>
        fail(thrown)
        throw thrown
    }
  }

  /** Prepares another try after room was made: all tiers may be tried, including those that refused. */
  private def beginAgain(): Unit = {
    tiers.all.foreach(_.mayTryAgain())
    if (out != null) {
      out.truncate(written)
      file.settle(written)
    }
  }

  /** Appends the bytes in the first tier that takes them; false if none does. */
  private def isAppended(bytes: Int)(write: => Unit): Boolean = {
    // A tier that had no room or refused isn't asked again for these bytes.
    var asked = file.tier.toSet
    var isWritten = file.take(bytes.toLong) && isWrittenTo(asked.head, bytes)(write)
    var isMore = true
    while (!isWritten && isMore) {
      val to = tiers.next(written + bytes, asked, mayUse)
      isMore = to.nonEmpty
      asked ++= to
      isWritten =
        to.exists(tier => isMovedTo(tier, written + bytes) && isWrittenTo(tier, bytes)(write))
    }
    isWritten
  }

  private def isWrittenTo(tier: Tier, bytes: Int)(write: => Unit): Boolean = {
    val begun = System.nanoTime()
    val isWritten = isAccepted(tier)(write)
    if (isWritten && bytes > 0) {
      val nanos = System.nanoTime() - begun
      tier.wrote(bytes.toLong, nanos)
      Requests.made(RequestKind.Write, nanos)
    }
    isWritten
  }

  /** False if the tier refused the write; failures that aren't the tier's fault are thrown. */
  private def isAccepted(tier: Tier)(write: => Unit): Boolean =
    try {
      write
      true
    } catch {
      case thrown @ (_: ClosedChannelException | _: UnreadableStart) => throw thrown
      case refusal: IOException =>
        tiers.refused(tier, refusal)
        false
    }

  private def isMovedTo(to: Tier, taken: Long): Boolean = {
    var copy: TierOutput = null
    var isThere = false
    try isThere = isAccepted(to) {
        copy = to.create(file.getName, file.use)
        if (out != null) copyStart(copy)
      }
    finally if (!isThere) {
        to.giveBack(taken)
        if (copy != null) {
          Closeables.close(copy, true)
          copy.file.delete(): Unit
        }
      }
    if (isThere) {
      // Its bytes have been read back, so an error at its close doesn't matter any more.
      if (out != null) Closeables.close(out, true)
      out = copy
      file.goesTo(to, copy.file, taken)
    }
    isThere
  }

  /** Copies the bytes that were written so far, but not the part of a refused write that may follow them. */
  private def copyStart(copy: TierOutput): Unit = {
    val in = readable(file.input())
    try {
      val buffer = new Array[Byte](CopiedAtOnce)
      var left = written
      while (left > 0) {
        val length = readable(in.read(buffer, 0, math.min(left, buffer.length.toLong).toInt))
        if (length < 0) throw new UnreadableStart(file, new EOFException)
        copy.write(buffer, 0, length)
        left -= length
      }
    } finally in.close()
  }

  private def readable[A](read: => A): A =
    try read
    catch { case failure: IOException => throw new UnreadableStart(file, failure) }

  private def fail(thrown: IOException): Unit = {
    failure = Some(thrown)
    open = false
    if (out != null) {
      Closeables.close(out, true)
      file.delete()
    }
  }
}

private object TierStream {
  private val CopiedAtOnce = 1 << 16

  final class LostAtClose(name: String, tier: Tier, cause: IOException)
      extends IOException(
        s"Scratch tier $tier lost $name as it was closed: ${cause.getMessage}. The tier is passed over for " +
          s"${Tier.PassedOverSeconds} s, so that the task writes elsewhere when it is tried again",
        cause
      )

  final class UnreadableStart(file: File, cause: IOException)
      extends IOException(
        s"$file can't move to another tier: the bytes written so far can't be read",
        cause
      )
}
