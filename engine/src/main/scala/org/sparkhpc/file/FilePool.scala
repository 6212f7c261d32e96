package org.sparkhpc.file

import java.io.{Closeable, IOException}
import java.nio.ByteBuffer
import java.nio.channels.{ClosedByInterruptException, ClosedChannelException, FileChannel}
import java.nio.file.{FileSystemException, Paths, StandardOpenOption}
import java.util.{HashMap, TreeMap}
import java.util.concurrent.TimeUnit
import java.util.concurrent.locks.ReentrantLock

import scala.annotation.tailrec
import scala.collection.JavaConverters._

import org.sparkhpc.request.{RequestKind, Requests}

/** A pool of files that are open for reading, shared by the threads of a process. A file is opened at its first
  * read and kept open for the next ones; at most `size` files are open at once.
  *
  *  1. Reads are positional. No reader uses a channel's own position, so all readers of a file share one
  *     descriptor.
  *  1. A lease lasts for one read. A thread that waits for a descriptor holds none, however many files it reads
  *     from, so each wait ends when some read ends.
  *  1. In Java, an interrupt closes the channel that the interrupted thread reads from. That thread gets
  *     ClosedByInterruptException; for the other readers the pool opens the file again, and they don't notice.
  *  1. After [[forget]] no read begins on a descriptor that was opened before. A caller that deletes, renames or
  *     replaces a file calls it afterwards: if it called before, another thread could open the old file again.
  *
  * All methods are thread-safe. One lock guards the mutable state; files are opened, read and closed outside it.
  *
  * @param order which idle file is closed to make room for another
  * @param timeoutNanos how long a read waits for a descriptor
  * @param mayWait whether the calling thread may wait; a thread that may not exceeds the bound instead
  * @param onRead gets the path and the duration in nanoseconds of each read, without the time for opening the
  *   file
  */
final class FilePool(
    size: Int,
    order: IdleOrder,
    timeoutNanos: Long,
    mayWait: () => Boolean = () => true,
    open: String => FileChannel = FilePool.openForReading,
    onRead: (String, Long) => Unit = (_, _) => ()
) extends Closeable {
  import FilePool._

  private val lock = new ReentrantLock
  private val roomMade = lock.newCondition()

  // The files that a new read may use. A forgotten file is known only to its borrowers.
  private val files = new HashMap[String, OpenFile]

  // The ones of `files` that have no borrower, by rank.
  private val idle = new TreeMap[Long, OpenFile]

  private var bound = size
  private var isClosed = false
  private var clock = 0L
  private var openNow = 0
  private var hits, opens, evictions, waits, longestWait, pastBound = 0L

  /** Reads as `FileChannel.read(to, position)` does: some bytes, or -1 at the end of the file. */
  @tailrec def read(path: String, to: ByteBuffer, position: Long): Int = {
    val count = readOnce(path, to, position)
    if (count == Again) read(path, to, position) else count
  }

  /** Closes the file; if somebody reads it, the last reader closes it. */
  def forget(path: String): Unit =
    locked(Option(files.remove(path)).filter(rouse)).foreach(discard)

  def counts: PoolCounts =
    locked(PoolCounts(hits, opens, evictions, waits, longestWait, pastBound, openNow, bound))

  /** Closes all files. Later reads still work, but each opens its file anew. */
  override def close(): Unit = {
    val all = locked {
      isClosed = true
      val all = files.values.asScala.toList
      files.clear()
      all.filter(rouse)
    }
    all.foreach(discard)
  }

  private def readOnce(path: String, to: ByteBuffer, position: Long): Int = {
    // Checked first: the interrupt would close a channel that other threads read from.
    if (Thread.currentThread.isInterrupted) throw new ClosedByInterruptException
    val file = borrow(path)
    val start = to.position()
    var usable = false
    try {
      val channel = file.channel
      val begun = System.nanoTime()
      val count = channel.read(to, position)
      val nanos = System.nanoTime() - begun
      onRead(path, nanos)
      Requests.made(RequestKind.Read, nanos)
      usable = true
      count
    } catch {
      case interrupt: ClosedByInterruptException => throw interrupt
      case _: ClosedChannelException => Again // another reader was interrupted
      case failure: FileSystemException if isShortage(failure) =>
        if (!lowerBound()) throw new IOException(s"$path can't be opened: $Shortage", failure)
        Again
    } finally {
      if (!usable) to.position(start) // bytes may have come before the interrupt
      giveBack(file, usable)
    }
  }

  private def borrow(path: String): OpenFile = locked {
    if (isFull && !files.containsKey(path) && mayWait()) awaitRoom(path)
    val file = files.get(path) match {
      case null => add(path)
      case there =>
        hits += 1
        rouse(there)
        there
    }
    file.borrowers.add(Thread.currentThread)
    file
  }

  private def giveBack(file: OpenFile, usable: Boolean): Unit = {
    val isOver = locked {
      file.borrowers.remove(Thread.currentThread)
      if (!usable || isClosed || openNow > bound) files.remove(file.path, file)
      val isKept = files.get(file.path) eq file
      if (file.borrowers.isEmpty && isKept) {
        file.rank = order.rank(file.opened, tick())
        idle.put(file.rank, file)
        roomMade.signal()
      }
      file.borrowers.isEmpty && !isKept
    }
    if (isOver) discard(file)
  }

  private def locked[A](body: => A): A = {
    lock.lock()
    try body
    finally lock.unlock()
  }

  private def tick(): Long = {
    clock += 1
    clock
  }

  private def isFull: Boolean = openNow >= bound && idle.isEmpty

  /** Removes the file from the idle files; false if somebody reads it. */
  private def rouse(file: OpenFile): Boolean = idle.remove(file.rank, file)

  private def add(path: String): OpenFile = {
    opens += 1
    val victim = if (openNow < bound) None else Option(idle.pollFirstEntry()).map(_.getValue)
    victim match {
      case Some(evicted) =>
        evictions += 1
        files.remove(evicted.path)
      case None =>
        openNow += 1
        if (openNow > bound) pastBound += 1
    }
    def closeAndOpen(): FileChannel = {
      // Closes first, so that the bound isn't exceeded even for a moment.
      victim.foreach(_.close())
      Requests.make(RequestKind.Open)(open(path))
    }
    val file = new OpenFile(path, tick(), () => closeAndOpen())
    files.put(path, file)
    file
  }

  private def discard(file: OpenFile): Unit = {
    file.close()
    locked {
      openNow -= 1
      roomMade.signal()
    }
  }

  private def awaitRoom(path: String): Unit = {
    waits += 1
    val begun = System.nanoTime()
    var left = timeoutNanos
    try
      while (isFull && !files.containsKey(path)) {
        if (left <= 0) throw new IOException(s"$path can't be opened: $crowd")
        left = roomMade.awaitNanos(left)
      }
    catch {
      case _: InterruptedException =>
        Thread.currentThread.interrupt()
        throw new ClosedByInterruptException
    } finally longestWait = math.max(longestWait, System.nanoTime() - begun)
    // Our file was opened meanwhile: the free descriptor is for another waiter.
    if (files.containsKey(path)) roomMade.signal()
  }

  private def crowd: String = {
    val readers = files.values.asScala.filterNot(_.borrowers.isEmpty).map { file =>
      s"${file.path} by ${file.borrowers.asScala.map(_.getName).mkString(", ")}"
    }
    s"all $bound files of spark.hpc.pool.size were in use for ${TimeUnit.NANOSECONDS.toMillis(timeoutNanos)} ms. " +
      s"Raise it. In use now: ${readers.mkString("; ")}"
  }

  /** Lowers the bound, since the process has no descriptor left; false if this pool has no other file open. */
  private def lowerBound(): Boolean = locked {
    val others = openNow - 1
    if (others > 0) bound = math.min(bound, others)
    others > 0
  }
}

object FilePool {
  private val Again = -2

  private val Shortage =
    "the process has too many other files and connections open. Raise the limit (ulimit -n)"

  /** Half of the descriptors that the process may have; the others are for connections and other files. */
  def defaultSize(limit: Option[Long]): Int =
    math.max(1, math.min(limit.getOrElse(UsualLimit) / 2, MostByDefault)).toInt

  // A task that merges holds about 150 KiB of buffers for each of its files, so hardly any executor
  // reads from more files at once.
  private val MostByDefault = 16384L
  private val UsualLimit = 1024L

  def openForReading(path: String): FileChannel =
    FileChannel.open(Paths.get(path), StandardOpenOption.READ)

  /** Whether the open failed with EMFILE or ENFILE. Java has no exception for them, so the message tells; in
    * another language it isn't recognized.
    */
  private[file] def isShortage(failure: FileSystemException): Boolean =
    failure.getReason != null && failure.getReason.contains("open files")
}
