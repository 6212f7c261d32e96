package org.sparkhpc.tier

import java.io.{EOFException, File, IOException, InputStream}
import java.nio.ByteBuffer
import java.nio.channels.ClosedChannelException

import org.sparkhpc.request.{RequestKind, Requests}

/** A temporary file that is written to a [[SpareFile]], over the bytes of an earlier temporary file.
  *
  *  1. The file on disk may be longer than this one: older bytes may follow its end. A call of `path` cuts them
  *     off, and from then on this is an ordinary file. Spark's readers of spills call [[read]] instead.
  *  1. A lost write is reported when a file is closed, but this one stays open, and an older spill's bytes may be
  *     there instead. So each chunk's checksum is kept, and a read of other bytes fails.
  *  1. It is written in whole chunks, except the last one, which is in memory until [[finish]].
  *  1. After it is deleted, each read and write fails.
  */
final class RecycledFile private[tier] (
    private[tier] val spare: SpareFile,
    giveBack: RecycledFile => Boolean
) extends TierFile
    with TierOutput {
  import ChunkSums.Chunk

  // The checksums of what is in the file. The rest is in the tail, which is null once the file is finished.
  private val sums = new ChunkSums
  private var tail = ByteBuffer.allocate(Chunk)
  private var isThere = true
  private var isCut = false
  @volatile private var isSpoiled = false

  /** Whether the spare file may hold another temporary file after this one. */
  private[tier] def isSound: Boolean = !isCut && !isSpoiled

  /** Keeps the spare file from holding another temporary file. */
  private[tier] def spoil(): Unit = isSpoiled = true

  override def file: TierFile = this
  override def place: File = spare.path

  override def path: File = spare.synchronized {
    if (isThere && !isCut) {
      saveTail()
      spare.open.setLength(size)
      isCut = true
    }
    spare.path
  }

  override def input(): InputStream = new InputStream {
    private var position = 0L

    override def read(): Int = throw new UnsupportedOperationException("reading one byte at a time")

    override def read(bytes: Array[Byte], offset: Int, length: Int): Int = {
      val count = RecycledFile.this.read(ByteBuffer.wrap(bytes, offset, length), position)
      position += math.max(0, count)
      count
    }
  }

  override def length: Long = spare.synchronized(if (isThere) size else 0)

  private def size: Long = sums.length + (if (tail == null) 0 else tail.position())

  /** Once its path was given out, other code may have moved it. */
  override def exists: Boolean = spare.synchronized {
    if (isCut && isThere && !spare.path.exists()) delete(): Unit
    isThere
  }

  override def write(bytes: Array[Byte], offset: Int, length: Int): Unit =
    write(ByteBuffer.wrap(bytes, offset, length))

  override def write(bytes: ByteBuffer): Unit = spare.synchronized {
    requireThere()
    if (tail == null) throw new ClosedChannelException
    while (bytes.hasRemaining) {
      if (!tail.hasRemaining) endChunk()
      val some = math.min(bytes.remaining, tail.remaining)
      val piece = bytes.duplicate()
      piece.limit(piece.position() + some)
      tail.put(piece)
      bytes.position(bytes.position() + some)
    }
  }

  private def endChunk(): Unit = {
    saveTail()
    sums.add(tail.array, tail.position())
    tail.clear()
  }

  private def saveTail(): Unit = if (tail != null) {
    try {
      spare.open.seek(sums.length)
      spare.open.write(tail.array, 0, tail.position())
    } catch {
      case failure: IOException =>
        isSpoiled = true
        throw failure
    }
    spare.size = math.max(spare.size, size)
  }

  override def truncate(length: Long): Unit = spare.synchronized {
    requireThere()
    if (length < sums.length) {
      val chunk = (length / Chunk).toInt
      val begin = chunkAt(chunk)
      sums.keep(chunk)
      tail.clear()
      tail.put(begin, 0, (length % Chunk).toInt)
    } else {
      tail.position((length - sums.length).toInt)
    }
  }

  override def sync(): Unit = spare.synchronized {
    requireThere()
    saveTail()
    spare.open.getFD.sync()
  }

  override def holdsBytes: Boolean =
    spare.synchronized(isThere && tail != null && tail.position() > 0)

  override def finish(): Unit = spare.synchronized {
    if (holdsBytes) endChunk()
    if (isCut && tail != null) spare.open.setLength(size)
    tail = null
  }

  /** Finishes the file, which stays open for its readers. */
  override def close(): Unit = finish()

  /** Reads some bytes from offset `at`; -1 at the end.
    *
    * Whole chunks are read directly into `to`, as many as fit.
    */
  def read(to: ByteBuffer, at: Long): Int = spare.synchronized {
    requireThere()
    if (at >= size) {
      -1
    } else {
      val chunk = (at / Chunk).toInt
      val from = (at % Chunk).toInt
      val room = math.min(sums.length - at, to.remaining.toLong)
      val chunks = if (from > 0) 0 else (room / Chunk).toInt
      if (chunks > 0) {
        val length = chunks * Chunk
        fill(chunk, to.array, to.arrayOffset + to.position(), length)
        to.position(to.position() + length)
        length
      } else {
        val bytes = chunkAt(chunk)
        val length = math.min(to.remaining, bytes.length - from)
        to.put(bytes, from, length)
        length
      }
    }
  }

  private def chunkAt(chunk: Int): Array[Byte] = {
    val begin = chunk.toLong * Chunk
    val bytes = new Array[Byte](math.min(Chunk.toLong, size - begin).toInt)
    if (begin < sums.length) fill(chunk, bytes, 0, bytes.length)
    else System.arraycopy(tail.array, 0, bytes, 0, bytes.length)
    bytes
  }

  /** Reads the chunks that make up `length` bytes, from `chunk` on, and checks them. */
  private def fill(chunk: Int, bytes: Array[Byte], offset: Int, length: Int): Unit = {
    try {
      spare.open.seek(chunk.toLong * Chunk)
      Requests.make(RequestKind.Read)(spare.open.readFully(bytes, offset, length))
    } catch { case _: EOFException => throw lost(chunk) }
    for (begin <- 0 until length by Chunk) {
      val number = chunk + begin / Chunk
      if (!sums.isChunk(number, bytes, offset + begin, math.min(Chunk, length - begin)))
        throw lost(number)
    }
  }

  private def lost(chunk: Int): IOException = {
    isSpoiled = true
    new IOException(
      s"${spare.path} doesn't hold the bytes that were written from byte ${chunk.toLong * Chunk} on: its " +
        "file system lost them. The task fails and is tried again"
    )
  }

  private def requireThere(): Unit =
    if (!isThere)
      throw new IOException(s"${spare.path}: the temporary file that it held was deleted")

  override def delete(): Boolean = spare.synchronized {
    val wasThere = isThere
    isThere = false
    tail = null
    wasThere && giveBack(this)
  }

  override def renameTo(to: File): Boolean = spare.synchronized {
    val renamed = isThere && path.renameTo(to)
    if (renamed) delete(): Unit
    renamed
  }
}
