package org.sparkhpc.file

import java.nio.channels.FileChannel
import java.nio.file.{FileSystemException, Path}
import java.util.{HashMap, TreeMap}

import scala.collection.JavaConverters._

/** The applications' files that a process has open for reading: a file is opened once, for all streams that read it at
  * the same time or later.
  *
  *  1. A stream keeps its file until it is closed. Like a stream with a descriptor of its own, it reads the same file to
  *     the end, even if that is deleted or replaced meanwhile.
  *  1. A caller asks for a file in the state that a stat has just found. If another file, or another state, is open
  *     under the path, the file is opened anew.
  *  1. A file without streams stays open for the next one, until it has been idle for some time ([[closeIdle]]), or
  *     another file has to be opened and `bound` files are open. Then the file that was opened first is closed: FIFO
  *     was best for input files in N. Chaimov et al. (HPDC 2016). Without idle files, the bound is exceeded: a stream
  *     that waited for another one could wait for ever.
  *  1. After [[forget]] no new stream reads what was open before.
  *
  * All methods are thread-safe. One lock guards the mutable state; files are opened, read and closed outside it.
  */
final class SharedFiles(
    bound: Int,
    openNow: Path => FileChannel = path => FilePool.openForReading(path.toString)
) {
  import SharedFiles._

  private val lock = new Object

  // The files that a new stream may use, by who may, and by path. A file that is in none is closed by its last stream.
  private val files = new HashMap[AnyRef, TreeMap[String, SharedFile]]

  // The ones of `files` that no stream has open, in the order in which they were opened.
  private val idle = new TreeMap[Long, SharedFile]

  private var clock = 0L
  private var openFiles = 0
  private var hits, opens, evictions = 0L

  /** Opens the file for one more stream, which must [[release]] it.
    *
    * @param found what a stat of the path returned just before
    * @param owner null to share the file with everybody, or an object to share it only with those who pass the same one
    */
  def open(path: Path, found: FileFacts.Identity, owner: AnyRef): SharedFile = {
    val (file, toClose) = lock.synchronized(enter(path, found, ownerOf(owner)))
    toClose.foreach(_.close())
    try open(file)
    catch {
      case failure: Throwable =>
        lock.synchronized(remove(file))
        release(file)
        throw failure
    }
    file
  }

  /** Ends the use of the file by one stream. */
  def release(file: SharedFile): Unit = {
    val isOver = lock.synchronized {
      file.readers -= 1
      if (file.readers == 0) {
        file.released = System.nanoTime()
        if (openFiles > bound) remove(file)
        if (isCurrent(file)) idle.put(file.opened, file)
        else openFiles -= 1
      }
      file.readers == 0 && !isCurrent(file)
    }
    if (isOver) file.close()
  }

  /** To be called when the file was deleted, renamed, replaced, or the directory with everything in it. */
  def forget(path: Path): Unit = {
    val name = path.toString
    close(files.values.asScala.toList.flatMap { its =>
      Option(its.get(name)) ++ its.subMap(s"$name/", s"${name}0").values.asScala
    })
  }

  /** Closes what only this owner may read. */
  def forgetOwner(owner: AnyRef): Unit =
    close(Option(files.get(owner)).toList.flatMap(_.values.asScala))

  /** Closes files that no stream has had open for this long. */
  def closeIdle(nanos: Long): Unit = {
    val now = System.nanoTime()
    def isLong(file: SharedFile): Boolean = now - file.released >= nanos
    close(idle.values.asScala.toList.filter(isLong))
  }

  def counts: SharedFileCounts =
    lock.synchronized(SharedFileCounts(hits, opens, evictions, openFiles, bound))

  private def enter(
      path: Path,
      found: FileFacts.Identity,
      owner: AnyRef
  ): (SharedFile, Seq[SharedFile]) = {
    val there = Option(files.get(owner)).flatMap(its => Option(its.get(path.toString)))
    there match {
      case Some(file) if file.identity == found =>
        hits += 1
        idle.remove(file.opened)
        file.readers += 1
        (file, Nil)
      case _ =>
        val replaced = there.toSeq.filter(dismiss)
        val victim = if (openFiles < bound) None else Option(idle.firstEntry).map(_.getValue)
        evictions += victim.size
        victim.foreach(dismiss)
        opens += 1
        openFiles += 1
        clock += 1
        val file = new SharedFile(path, found, owner, clock, openNow)
        file.readers = 1
        files.computeIfAbsent(owner, _ => new TreeMap).put(path.toString, file)
        (file, replaced ++ victim)
    }
  }

  /** Opens the file itself. If the process has no descriptor left, files that nobody reads give theirs. */
  private def open(file: SharedFile): Unit =
    try file.open()
    catch {
      case failure: FileSystemException if FilePool.isShortage(failure) =>
        closeIdle(0)
        file.open()
    }

  /** No new stream reads these files. `which` is evaluated under the lock. */
  private def close(which: => List[SharedFile]): Unit = {
    val toClose = lock.synchronized(which.filter(dismiss))
    toClose.foreach(_.close())
  }

  /** Makes the file known only to the streams that have it open. True if there are none: the caller closes it. */
  private def dismiss(file: SharedFile): Boolean = {
    remove(file)
    val isIdle = idle.remove(file.opened, file)
    if (isIdle) openFiles -= 1
    isIdle
  }

  private def isCurrent(file: SharedFile): Boolean =
    Option(files.get(file.owner)).exists(_.get(file.path.toString) eq file)

  private def remove(file: SharedFile): Unit =
    if (isCurrent(file)) {
      val its = files.get(file.owner)
      its.remove(file.path.toString)
      if (its.isEmpty) files.remove(file.owner): Unit
    }
}

object SharedFiles {
  private object Everybody

  private def ownerOf(owner: AnyRef): AnyRef = if (owner == null) Everybody else owner

  /** A quarter of the descriptors that the process may have: the other pool of files takes up to a half. */
  def defaultSize(limit: Option[Long]): Int = math.max(1, FilePool.defaultSize(limit) / 2)
}
