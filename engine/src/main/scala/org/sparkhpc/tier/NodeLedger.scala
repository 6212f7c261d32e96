package org.sparkhpc.tier

import java.io.IOException
import java.nio.ByteBuffer
import java.nio.channels.{FileChannel, OverlappingFileLockException}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{FileAlreadyExistsException, Files, LinkOption, Path, Paths}
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.nio.file.StandardOpenOption.{CREATE, CREATE_NEW, READ, WRITE}
import java.nio.file.attribute.{FileTime, PosixFilePermissions}
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.TimeUnit.DAYS

import scala.collection.JavaConverters._
import scala.util.Try

import com.google.common.io.Closeables

/** A record in the node's memory of the directories that this user's processes on this node made on shared file
  * systems. A process finds there what a dead one left, and needn't list a directory that 10,000 others list.
  *
  *  1. An entry is a file that holds a path. It is locked until its process ends, however that ends.
  *  1. Directories without an entry are found by listing: one process of the node does that, once a day.
  *  1. A ledger belongs to one user and one boot of the node, and nobody else can write to it.
  */
final class NodeLedger private[tier] (place: Path) {
  import NodeLedger._

  /** Adds an entry for a path. Throws an IOException if the node has no room for it. */
  private[tier] def add(path: Path): Entry = {
    val name = place.resolve(s"$Entries${UUID.randomUUID()}")
    // It has another name until it is locked, so that no other process finds it free.
    val unnamed = place.resolve(s"${name.getFileName}.new")
    val channel = FileChannel.open(unnamed, CREATE_NEW, WRITE)
    try {
      if (channel.tryLock() == null) throw new IOException(s"$unnamed can't be locked")
      channel.write(ByteBuffer.wrap(path.toString.getBytes(UTF_8)))
      mine.add(name)
      Files.move(unnamed, name, ATOMIC_MOVE)
      new Entry(name, channel)
    } catch {
      case failure: IOException =>
        Closeables.close(channel, true)
        mine.remove(name)
        Files.deleteIfExists(unnamed)
        throw failure
    }
  }

  /** Removes the entries of dead processes: those whose directory is gone, and those that are a day old.
    *
    * @param isGone deletes the directory that an entry names, and returns whether it is gone
    */
  private[tier] def strikeOut(isGone: Path => Boolean): Unit = NodeLedger.synchronized {
    for (file <- files if isEntry(file) && !mine.contains(file))
      ifFree(file) { channel =>
        if (isGone(Paths.get(content(channel))) || !isFresh(file)) Files.deleteIfExists(file)
      }
    // These are of no use any more, or their process was killed while it made them.
    for (file <- files if !isEntry(file) && !isFresh(file)) Try(Files.deleteIfExists(file))
  }

  /** Lists a directory, unless a process of this node listed it within the last day or does so now. */
  private[tier] def daily[A](directory: Path)(list: => A): Option[A] = NodeLedger.synchronized {
    val file = place.resolve(Listings + UUID.nameUUIDFromBytes(directory.toString.getBytes(UTF_8)))
    if (isListed(file)) None
    else
      ifFree(file, CREATE) { channel =>
        // Another process may have ended its listing in between.
        if (isListed(file)) None
        else {
          val found = list
          if (channel.size == 0) channel.write(ByteBuffer.wrap(directory.toString.getBytes(UTF_8)))
          Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis()))
          Some(found)
        }
      }.flatten
  }

  private def isListed(file: Path): Boolean =
    Try(Files.size(file)).toOption.exists(_ > 0) && isFresh(file)

  private def files: Seq[Path] = {
    val all = Files.newDirectoryStream(place)
    try all.asScala.toList
    finally all.close()
  }
}

object NodeLedger {
  private val Entries = "made-"
  private val Listings = "listed-"

  // Closing any channel to a locked file would release the lock of this process.
  private val mine = ConcurrentHashMap.newKeySet[Path]()

  /** The entry of one directory, until that is gone. */
  private[tier] final class Entry(file: Path, channel: FileChannel) {

    /** @param isGone whether the directory is gone; otherwise the entry stays for other processes, like that of a
      *   dead one
      */
    def close(isGone: Boolean): Unit = {
      if (isGone) Try(Files.deleteIfExists(file))
      Closeables.close(channel, true)
      mine.remove(file): Unit
    }
  }

  /** The ledger of this node; None if there is no place for one. */
  lazy val here: Option[NodeLedger] = in(Seq("/dev/shm", "/tmp").map(Paths.get(_)))

  /** The ledger in the first of these directories that is the node's own and that nobody else can replace. */
  private[tier] def in(directories: Seq[Path]): Option[NodeLedger] =
    directories.iterator.filter(isOfNode).flatMap(open(_)).take(1).toList.headOption

  private def isOfNode(directory: Path): Boolean = {
    val kind = MountTable.read().typeOf(directory.toFile).map(FileSystemKind.of)
    Files.isDirectory(directory) && kind.exists(_ != FileSystemKind.Shared) &&
    Exposure.refusal(directory).isEmpty
  }

  private def open(directory: Path): Option[NodeLedger] =
    try {
      val start = ScratchDirectory.thisStart
      val place = directory.resolve(s".spark-hpc-ledger-${Exposure.own}-$start")
      try Files.createDirectory(place, PosixFilePermissions.asFileAttribute(OfItsUser))
      catch { case _: FileAlreadyExistsException => }
      val its = Files.readAttributes(place, "unix:uid,permissions", LinkOption.NOFOLLOW_LINKS)
      val isOurs = its.get("uid") == Exposure.own && its.get("permissions") == OfItsUser
      Some(new NodeLedger(place)).filter(_ =>
        isOurs && Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)
      )
    } catch { case _: IOException => None }

  private val OfItsUser = PosixFilePermissions.fromString("rwx------")

  private def isEntry(file: Path): Boolean = {
    val name = file.getFileName.toString
    name.startsWith(Entries) && !name.endsWith(".new")
  }

  private def isFresh(file: Path): Boolean = {
    val age = Try(System.currentTimeMillis() - Files.getLastModifiedTime(file).toMillis)
    age.toOption.exists(_ < DAYS.toMillis(1))
  }

  /** Does work with a file that no process has locked; None if one has. */
  private def ifFree[A](file: Path, more: java.nio.file.OpenOption*)(
      work: FileChannel => A
  ): Option[A] =
    try {
      val channel = FileChannel.open(file, READ +: WRITE +: more: _*)
      try if (channel.tryLock() == null) None else Some(work(channel))
      finally channel.close()
    } catch { case _: IOException | _: OverlappingFileLockException => None }

  private def content(channel: FileChannel): String = {
    val bytes = ByteBuffer.allocate(channel.size.toInt)
    while (bytes.hasRemaining && channel.read(bytes) >= 0) {}
    new String(bytes.array, 0, bytes.position(), UTF_8)
  }
}
