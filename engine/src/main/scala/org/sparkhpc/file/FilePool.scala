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

/** The files that the threads of a process read from: opened for the first read, kept open for the
  * next, at most `size` at once.
  *
  *  1. A read says from where. Nobody uses a channel's own position, so all share one descriptor.
  *  1. A lease lasts for one read. Who waits for a descriptor holds none, however many files it reads
  *     from, so that a wait ends when somebody's read does.
  *  1. An interrupt closes the channel that the interrupted thread reads from: so Java has it. That
  *     thread gets its ClosedByInterruptException; for others the file is opened again, unnoticed.
  *  1. After [[forget]] no read begins on a descriptor from before. Who deletes, renames or replaces a
  *     file calls it afterwards; one who called it before could find the file open again.
  *
  * Any thread may call any method. One lock guards what changes; files are opened, read and closed
  * without it.
  *
  * @param order which idle file is closed for another one
  * @param timeoutNanos how long a read waits for a descriptor
  * @param mayWait whether the calling thread may; one that may not goes past the bound instead
  * @param onRead told of each read of a path how many nanoseconds it took, without what opening took
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

  // Those that a new read may use. One that was forgotten meanwhile is known to its borrowers only.
  private val files = new HashMap[String, OpenFile]

  // Of these the ones without a borrower, by rank.
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

  /** Closes the file, or has its last reader do so. */
  def forget(path: String): Unit =
    locked(Option(files.remove(path)).filter(rouse)).foreach(discard)

  def counts: PoolCounts =
    locked(PoolCounts(hits, opens, evictions, waits, longestWait, pastBound, openNow, bound))

  /** From now on nothing is kept open; who still reads opens its file each time. */
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
    // Now, before it would close a channel that others read from.
    if (Thread.currentThread.isInterrupted) throw new ClosedByInterruptException
    val file = borrow(path)
    val start = to.position()
    var usable = false
    try {
      val channel = file.channel
      val begun = System.nanoTime()
      val count = channel.read(to, position)
      onRead(path, System.nanoTime() - begun)
      usable = true
      count
    } catch {
      case interrupt: ClosedByInterruptException => throw interrupt
      case _: ClosedChannelException => Again // another reader was interrupted
      case failure: FileSystemException if isShortage(failure) =>
        if (!lowerBound()) throw new IOException(s"$path can't be opened: $Shortage", failure)
        Again
    } finally {
      if (!usable) to.position(start) // an interrupt may come after bytes did
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

  /** Takes the file from the idle ones; false if somebody reads from it. */
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
      // In this order, so that no more than the bound are open even for a moment.
      victim.foreach(_.close())
      open(path)
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
    // What we were told of is for another one, if our file has been opened meanwhile.
    if (files.containsKey(path)) roomMade.signal()
  }

  private def crowd: String = {
    val readers = files.values.asScala.filterNot(_.borrowers.isEmpty).map { file =>
      s"${file.path} by ${file.borrowers.asScala.map(_.getName).mkString(", ")}"
    }
    s"for ${TimeUnit.NANOSECONDS.toMillis(timeoutNanos)} ms all $bound files of " +
      s"spark.hpc.pool.size were being read. Raise it. Read now: ${readers.mkString("; ")}"
  }

  /** The process has no descriptor left; false if there is none of ours to give up. */
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

  /** As many as the process may have open, but for a half that is for connections and others. */
  def defaultSize(limit: Option[Long]): Int =
    math.max(1, math.min(limit.getOrElse(UsualLimit) / 2, MostByDefault)).toInt

  // A task that merges holds about 150 KiB of buffers for each of its files, so that hardly an
  // executor reads from more at once.
  private val MostByDefault = 16384L
  private val UsualLimit = 1024L

  def openForReading(path: String): FileChannel =
    FileChannel.open(Paths.get(path), StandardOpenOption.READ)

  /** EMFILE and ENFILE have no exception of their own; in another language they aren't recognized. */
  private def isShortage(failure: FileSystemException): Boolean =
    failure.getReason != null && failure.getReason.contains("open files")
}
