package org.sparkhpc.tier

import java.io.{File, IOException}
import java.nio.channels.{FileChannel, OverlappingFileLockException}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, LinkOption, Path, Paths}
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.nio.file.StandardOpenOption.{CREATE_NEW, WRITE}
import java.nio.file.attribute.PosixFilePermissions
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap

import scala.collection.JavaConverters._
import scala.util.Try

import com.google.common.io.Closeables
import org.apache.commons.io.FileUtils

/** A directory of this process in a tier, which also deletes the directories of dead processes.
  *
  *  1. Only its user may enter it, so that nobody else can put a file or a link there first. It is in no
  *     directory where everybody could replace it.
  *  1. Its file `owner` is locked until the process ends, however that ends. A directory whose lock is free
  *     belonged to a dead process.
  *  1. Locks on a shared file system may hold on one node only. There, a directory is deleted only on the node,
  *     and during the boot, that its name contains. A directory without `owner` is deleted only if the node's
  *     ledger shows that its process is dead.
  *  1. Not every process lists a shared file system: the node remembers its directories there ([[NodeLedger]]).
  */
final class ScratchDirectory private (
    val path: Path,
    owner: Option[FileChannel],
    outlives: Boolean,
    known: Option[(NodeLedger, NodeLedger.Entry)] = None
) {
  import ScratchDirectory._

  private val real = path.toRealPath()
  mine.add(real)

  /** Deletes the directory and all its files, unless other processes go on serving them. A second call, such as a
    * signal handler's, waits for the first: otherwise the process would end in the middle of it.
    */
  def close(): Unit = synchronized {
    val isGone = !outlives && deleted(outOfReach(path))
    for ((_, entry) <- known) entry.close(isGone)
    owner.foreach(Closeables.close(_, true))
    mine.remove(real)
  }

  /** Deletes the directories that dead processes of the same user left beside this one, and those in the node's
    * ledger if this one is in it. Returns the deleted directories.
    *
    * @param kind of the file system
    * @param isNew whether no directory beside it can be older than the node's ledger
    */
  def sweep(kind: FileSystemKind, isNew: Boolean = false): Seq[Path] = known match {
    case None => sweepBeside(kind)
    case Some((ledger, _)) =>
      val gone = Seq.newBuilder[Path]
      ledger.strikeOut { left =>
        val places = Seq(left, closing(left))
        val ours =
          places.filter(place => Files.exists(place) && isOfThisStart(place) && isOurs(place))
        gone ++= ours.filter(place =>
          // Without `owner`, its process was killed before it made one, or the file system has no locks.
          if (Files.exists(place.resolve(Owner))) isDeadAndDeleted(place) else deleted(place)
        )
        // Its parent may have been removed with the whole job; or this process doesn't see that file system.
        val isSeen = Iterator.iterate(left.getParent)(_.getParent).take(2)
          .exists(above => above != null && Files.exists(above))
        isSeen && !places.exists(Files.exists(_))
      }
      val listed = if (isNew) None else ledger.daily(real.getParent)(sweepBeside(kind))
      gone.result() ++ listed.getOrElse(Nil)
  }

  private def sweepBeside(kind: FileSystemKind): Seq[Path] =
    try {
      val names = if (kind == FileSystemKind.Shared) s"$Prefix*-$thisStart-*" else s"$Prefix*"
      val beside = Files.newDirectoryStream(path.getParent, names)
      try beside.asScala.filter(other => isOurs(other) && isDeadAndDeleted(other)).toList
      finally beside.close()
    } catch { case _: IOException => Nil } // a leftover isn't worth a failure

  private def isOurs(other: Path): Boolean =
    !mine.contains(other.toRealPath()) && Files.isDirectory(other, LinkOption.NOFOLLOW_LINKS) &&
      uid(other) == uid(path)
}

object ScratchDirectory {
  private val Prefix = "spark-hpc-"
  private val Owner = "owner"

  // Closing any channel to a locked file would release the lock of this process.
  private val mine = ConcurrentHashMap.newKeySet[Path]()

  /** Makes a directory below `parent`, which is made as well if only its last part is missing.
    *
    * @param job the scheduler's job, in the name for whoever finds the directory later
    * @param outlives whether the directory stays when this process ends, so that others can serve its files
    * @param ledger records the directory, if it has room
    */
  def create(
      parent: File,
      job: String,
      outlives: Boolean,
      ledger: Option[NodeLedger] = None
  ): ScratchDirectory = {
    ScratchDirectory.parent(parent.toPath)
    val path = parent.toPath.resolve(newName(job))
    // It is recorded before it is made: this process may be killed in between.
    val known = ledger.filter(_ => !outlives)
      .flatMap(its => Try(its.add(path)).toOption.map(its -> _))
    try {
      Files.createDirectory(path, OfItsUser)
      new ScratchDirectory(path, if (outlives) None else locked(path), outlives, known)
    } catch {
      case failure: IOException =>
        for ((_, entry) <- known) entry.close(isGone = !Files.exists(path))
        throw failure
    }
  }

  /** Makes a directory for scratch directories if it is missing. Throws an IOException if its parent is missing
    * as well, as with a mistyped name, or if everybody could replace the scratch directories: they hold what
    * Spark deserializes.
    */
  def parent(path: Path): Unit = {
    if (!Files.isDirectory(path)) {
      if (!Files.isDirectory(path.getParent))
        throw new IOException(s"${path.getParent} is no directory: make it, if the name is right")
      Files.createDirectories(path, WrittenByItsUser) // another process may make it meanwhile
    }
    for (why <- Exposure.refusal(path)) throw new IOException(why)
  }

  /** A unique name. A directory that [[at]] makes under it is swept like all others. */
  def newName(job: String): String = s"$Prefix$job-$thisStart-${UUID.randomUUID()}"

  /** As [[create]], at a path that was chosen before and whose parent exists. */
  def at(path: Path): ScratchDirectory = {
    Files.createDirectory(path, OfItsUser)
    new ScratchDirectory(path, locked(path), outlives = false)
  }

  private val WrittenByItsUser =
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"))

  private val OfItsUser =
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))

  private def locked(path: Path): Option[FileChannel] = {
    // It has another name until it is locked, so that no other process finds it free.
    val unnamed = path.resolve(Owner + ".new")
    val channel = FileChannel.open(unnamed, CREATE_NEW, WRITE)
    try {
      val isLocked = channel.tryLock() != null
      if (isLocked) Files.move(unnamed, path.resolve(Owner), ATOMIC_MOVE)
      Some(channel).filter(_ => isLocked)
    } catch {
      case _: IOException => // a file system without locks
        Closeables.close(channel, true)
        None
    }
  }

  private def uid(path: Path): AnyRef =
    Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS)

  /** Renames a directory, so that tasks that still run make no more files in it. Returns its path. */
  private def outOfReach(path: Path): Path =
    try Files.move(path, closing(path), ATOMIC_MOVE)
    catch { case _: IOException => path }

  private def closing(path: Path): Path = path.resolveSibling(s"${path.getFileName}-closing")

  private def isOfThisStart(path: Path): Boolean = {
    val name = path.getFileName.toString
    name.startsWith(Prefix) && name.contains(s"-$thisStart-")
  }

  /** Deletes a directory; true if it is gone. `owner` is deleted last: a directory without it would never be
    * swept.
    */
  private def deleted(path: Path): Boolean = {
    val all = Option(path.toFile.listFiles()).toSeq.flatten
    val (owner, others) = all.partition(_.getName == Owner)
    // Links are deleted, and not followed.
    def isDeleted(file: File): Boolean = Try(FileUtils.forceDelete(file)).isSuccess
    others.count(!isDeleted(_)) == 0 && owner.forall(isDeleted) && path.toFile.delete()
  }

  private def isDeadAndDeleted(path: Path): Boolean =
    try {
      val channel = FileChannel.open(path.resolve(Owner), WRITE)
      try channel.tryLock() != null && deleted(path)
      finally channel.close()
    } catch { case _: IOException | _: OverlappingFileLockException => false }

  /** Identifies this boot of the node's kernel. It is the same in all containers of the node, where its locks
    * hold.
    */
  private[tier] lazy val thisStart: String = {
    val id = Files.readAllBytes(Paths.get("/proc/sys/kernel/random/boot_id"))
    new String(id, UTF_8).filter(_.isLetterOrDigit).take(12)
  }
}
