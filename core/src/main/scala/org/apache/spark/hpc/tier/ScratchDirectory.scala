package org.apache.spark.hpc.tier

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
  *     the node, and since the start, that its name has. One without the file is never swept.
  */
final class ScratchDirectory private (
    val path: Path,
    owner: Option[FileChannel],
    outlives: Boolean
) {
  import ScratchDirectory._

  private val real = path.toRealPath()
  mine.add(real)

  /** Deletes it with all that is in it, unless others go on serving that. A signal's call beside another
    * waits for it: the process would end in the middle.
    */
  def close(): Unit = synchronized {
    if (!outlives) deleted(outOfReach(path)): Unit
    owner.foreach(Closeables.close(_, true))
    mine.remove(real)
  }

  /** Deletes what dead processes of the same user left beside it; says what.
    *
    * @param kind of the file system
    */
  def sweep(kind: FileSystemKind): Seq[Path] =
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

  /** A new directory below `parent`, which is made if it isn't there.
    *
    * @param job names its scheduler's job, for whoever finds it later
    * @param outlives whether it stays when this process ends, for others to serve what is in it
    */
  def create(parent: File, job: String, outlives: Boolean): ScratchDirectory = {
    ScratchDirectory.parent(parent.toPath)
    val path = Files.createTempDirectory(parent.toPath, s"$Prefix$job-$thisStart-")
    new ScratchDirectory(path, if (outlives) None else locked(path), outlives)
  }

  /** Makes a directory that others are made in, if it isn't there; an IOException if everybody could put
    * another directory in the place of those: they hold what Spark deserializes.
    */
  def parent(path: Path): Unit = {
    if (!Files.isDirectory(path)) Files.createDirectories(path, WrittenByItsUser)
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
    try Files.move(path, path.resolveSibling(s"${path.getFileName}-closing"), ATOMIC_MOVE)
    catch { case _: IOException => path }

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
