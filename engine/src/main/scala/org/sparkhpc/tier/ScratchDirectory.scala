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

/** A directory of this process's own in a tier, and what became of those of dead processes.
  *
  *  1. Only its user may enter it, so that nobody else can put a file or a link there first; and it is in
  *     no directory where everybody could put another one in its place.
  *  1. Its file `owner` is locked while the process lives, however that ends. A directory whose lock
  *     is free belonged to a process that is gone.
  *  1. Locks on a shared file system may hold on one node only: there a directory is swept only on
  *     the node, and since the start, that its name has. One without the file is swept only if the node
  *     remembers that its process is gone.
  *  1. A shared file system isn't listed by each process: the node remembers what is there ([[NodeLedger]]).
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

  /** Deletes it with all that is in it, unless others go on serving that. A signal's call beside another
    * waits for it: the process would end in the middle.
    */
  def close(): Unit = synchronized {
    val isGone = !outlives && deleted(outOfReach(path))
    for ((_, entry) <- known) entry.close(isGone)
    owner.foreach(Closeables.close(_, true))
    mine.remove(real)
  }

  /** Deletes what dead processes of the same user left beside it, and what the node's ledger has of them if
    * it is in that; says what.
    *
    * @param kind of the file system
    * @param isNew whether nothing is beside it that was made before the node had a ledger
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
          // Without: its process was killed before it was there, or the file system has no locks.
          if (Files.exists(place.resolve(Owner))) isDeadAndDeleted(place) else deleted(place)
        )
        // The node's own process may have removed all of a job; or this one doesn't see that file system.
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
    } catch { case _: IOException => Nil } // no leftover is worth a failure

  private def isOurs(other: Path): Boolean =
    !mine.contains(other.toRealPath()) && Files.isDirectory(other, LinkOption.NOFOLLOW_LINKS) &&
      uid(other) == uid(path)
}

object ScratchDirectory {
  private val Prefix = "spark-hpc-"
  private val Owner = "owner"

  // Closing any channel to a locked file would release the lock of this process.
  private val mine = ConcurrentHashMap.newKeySet[Path]()

  /** A new directory below `parent`, which is made if only its last part isn't there.
    *
    * @param job names its scheduler's job, for whoever finds it later
    * @param outlives whether it stays when this process ends, for others to serve what is in it
    * @param ledger is to know it, if there is room
    */
  def create(
      parent: File,
      job: String,
      outlives: Boolean,
      ledger: Option[NodeLedger] = None
  ): ScratchDirectory = {
    ScratchDirectory.parent(parent.toPath)
    val path = parent.toPath.resolve(newName(job))
    // Before it is there: this process may be killed in between.
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

  /** Makes a directory that others are made in, if it isn't there. An IOException if what it would be in isn't
    * there either, as where its name is mistyped; and if everybody could put another directory in the place of
    * those: they hold what Spark deserializes.
    */
  def parent(path: Path): Unit = {
    if (!Files.isDirectory(path)) {
      if (!Files.isDirectory(path.getParent))
        throw new IOException(s"${path.getParent} is no directory: make it, if the name is right")
      Files.createDirectories(path, WrittenByItsUser) // which another process may do meanwhile
    }
    for (why <- Exposure.refusal(path)) throw new IOException(why)
  }

  /** A name that nobody else has: a directory [[at]] it is swept as all are. */
  def newName(job: String): String = s"$Prefix$job-$thisStart-${UUID.randomUUID()}"

  /** As [[create]], at a path that was said before; its parent is there. */
  def at(path: Path): ScratchDirectory = {
    Files.createDirectory(path, OfItsUser)
    new ScratchDirectory(path, locked(path), outlives = false)
  }

  private val WrittenByItsUser =
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"))

  private val OfItsUser =
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))

  private def locked(path: Path): Option[FileChannel] = {
    // Under another name, until it is locked: nobody may find it free meanwhile.
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

  /** Where it is by now: under another name, so that tasks that still run make no more files in it. */
  private def outOfReach(path: Path): Path =
    try Files.move(path, closing(path), ATOMIC_MOVE)
    catch { case _: IOException => path }

  private def closing(path: Path): Path = path.resolveSibling(s"${path.getFileName}-closing")

  private def isOfThisStart(path: Path): Boolean = {
    val name = path.getFileName.toString
    name.startsWith(Prefix) && name.contains(s"-$thisStart-")
  }

  /** Whether it is gone. `owner` goes last: what is left without it would never be swept. */
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

  /** Of this node's kernel; the same in all its containers, where its locks hold. */
  private[tier] lazy val thisStart: String = {
    val id = Files.readAllBytes(Paths.get("/proc/sys/kernel/random/boot_id"))
    new String(id, UTF_8).filter(_.isLetterOrDigit).take(12)
  }
}
