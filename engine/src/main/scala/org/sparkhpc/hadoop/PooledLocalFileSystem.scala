package org.sparkhpc.hadoop

import java.io.{File, FileNotFoundException}
import java.net.URI
import java.nio.file.{Path => JavaPath}
import java.util.EnumSet

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs._
import org.apache.hadoop.fs.Options.ChecksumOpt
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.hadoop.util.{DataChecksum, Progressable}

/** Hadoop's file system for `file:` on a [[PooledRawFileSystem]].
  *
  * Checksum files (`.NAME.crc`) are written and verified on local file systems, as by Hadoop. On shared ones they would
  * double the requests, and these have checksums of their own: nothing is written or verified there, unless
  * `spark.hpc.files.checksums` is `always`. A checksum file that is there already never becomes wrong: whoever
  * replaces, changes, renames or deletes a file through this class removes or renames its checksum file, too.
  */
class PooledLocalFileSystem(raw: PooledRawFileSystem) extends LocalFileSystem(raw) {
  import PooledLocalFileSystem._

  private var checksums = "auto"
  private val ofCheckpoints = new CheckpointFiles

  def this(readers: Readers) = this(new PooledRawFileSystem(readers))

  def this() = this(Readers.None)

  override def initialize(uri: URI, conf: Configuration): Unit = {
    super.initialize(uri, conf)
    checksums = conf.get(ChecksumsKey, "auto")
  }

  override def open(f: Path, bufferSize: Int): FSDataInputStream =
    if (hasSums(f)) super.open(f, bufferSize) else raw.open(f, bufferSize)

  override def create(
      f: Path,
      permission: FsPermission,
      overwrite: Boolean,
      bufferSize: Int,
      replication: Short,
      blockSize: Long,
      progress: Progressable
  ): FSDataOutputStream =
    if (hasSums(f)) {
      super.create(f, permission, overwrite, bufferSize, replication, blockSize, progress)
    } else {
      createWithoutSums(f, permission, overwrite, bufferSize, replication, blockSize, progress)
    }

  override def createNonRecursive(
      f: Path,
      permission: FsPermission,
      overwrite: Boolean,
      bufferSize: Int,
      replication: Short,
      blockSize: Long,
      progress: Progressable
  ): FSDataOutputStream =
    if (hasSums(f)) {
      super.createNonRecursive(
        f,
        permission,
        overwrite,
        bufferSize,
        replication,
        blockSize,
        progress
      )
    } else {
      withoutSums(f) {
        raw.createNonRecursive(
          f,
          permission,
          overwrite,
          bufferSize,
          replication,
          blockSize,
          progress
        )
      }
    }

  override def createNonRecursive(
      f: Path,
      permission: FsPermission,
      flags: EnumSet[CreateFlag],
      bufferSize: Int,
      replication: Short,
      blockSize: Long,
      progress: Progressable
  ): FSDataOutputStream = {
    val overwrite = flags.contains(CreateFlag.OVERWRITE)
    createNonRecursive(f, permission, overwrite, bufferSize, replication, blockSize, progress)
  }

  /** How `FileContext` creates files; it may want one without checksums. */
  override protected def primitiveCreate(
      f: Path,
      permission: FsPermission,
      flags: EnumSet[CreateFlag],
      bufferSize: Int,
      replication: Short,
      blockSize: Long,
      progress: Progressable,
      sums: ChecksumOpt
  ): FSDataOutputStream = {
    val isThere = !Staging.isNew(f) && exists(f)
    CreateFlag.validate(f, isThere, flags)
    val overwrite = flags.contains(CreateFlag.OVERWRITE)
    if (isThere && flags.contains(CreateFlag.APPEND)) {
      // What has no checksum file is appended to, and isn't verified.
      withoutSums(f)(raw.append(f, bufferSize, progress))
    } else if (sums != null && sums.getChecksumType == DataChecksum.Type.NULL) {
      createWithoutSums(f, permission, overwrite, bufferSize, replication, blockSize, progress)
    } else {
      create(f, permission, overwrite, bufferSize, replication, blockSize, progress)
    }
  }

  /** Hadoop appends to no file with checksums; one without can be appended to. */
  override def append(f: Path, bufferSize: Int, progress: Progressable): FSDataOutputStream =
    if (hasSums(f)) super.append(f, bufferSize, progress)
    else withoutSums(f)(raw.append(f, bufferSize, progress))

  override def truncate(f: Path, length: Long): Boolean =
    if (hasSums(f)) super.truncate(f, length) else withoutSums(f)(raw.truncate(f, length))

  /** Of a checksum file that can't be there, no status is asked. */
  override def getFileStatus(f: Path): FileStatus =
    if (ofCheckpoints.haveNo(f)) throw new FileNotFoundException(s"File $f does not exist")
    else super.getFileStatus(f)

  /** A call of Java's costs less than a status that nobody looks at. */
  override def exists(f: Path): Boolean = raw.exists(f)

  override def rename(from: Path, to: Path): Boolean = {
    val (old, its) = (raw.fileOf(from), raw.fileOf(to))
    if (!hasSums(old) && !hasSums(its) && raw.isRenamed(old, its)) {
      moveSums(from, old, its)
      true
    } else {
      // Such as a file into a directory.
      super.rename(from, to)
    }
  }

  override def delete(f: Path, recursive: Boolean): Boolean = {
    val file = raw.fileOf(f)
    (!hasSums(file) && withoutSums(f, file)(raw.isDeleted(file))) || super.delete(f, recursive)
  }

  override def hasPathCapability(f: Path, name: String): Boolean = name match {
    case CommonPathCapabilities.FS_APPEND | CommonPathCapabilities.FS_TRUNCATE if !hasSums(f) =>
      true
    case _ => super.hasPathCapability(f, name)
  }

  private def createWithoutSums(
      f: Path,
      permission: FsPermission,
      overwrite: Boolean,
      bufferSize: Int,
      replication: Short,
      blockSize: Long,
      progress: Progressable
  ): FSDataOutputStream = withoutSums(f) {
    val out = raw.create(f, permission, overwrite, bufferSize, replication, blockSize, progress)
    ofCheckpoints.add(f)
    out
  }

  private def hasSums(f: Path): Boolean = hasSums(raw.fileOf(f))

  private def hasSums(file: JavaPath): Boolean = checksums match {
    case "always" => true
    case "never" => false
    case _ => !raw.isShared(file)
  }

  /** Whether the path is on a shared file system. */
  def isShared(f: Path): Boolean = raw.isShared(raw.fileOf(f))

  private def withoutSums[A](f: Path)(change: => A): A = withoutSums(f, raw.fileOf(f))(change)

  /** Changes the file. Its checksum file goes first, so that it never stands beside other data. */
  private def withoutSums[A](f: Path, file: JavaPath)(change: => A): A = {
    if (!Staging.isNew(f)) sums(file).delete(): Unit
    change
  }

  private def moveSums(from: Path, old: JavaPath, its: JavaPath): Unit =
    Staging.jobOf(from) match {
      // A name with the job's id is new, too.
      case Some(job) => if (!its.getFileName.toString.contains(job)) sums(its).delete(): Unit
      case None =>
        if (Staging.isNew(from) || !sums(old).renameTo(sums(its))) sums(its).delete(): Unit
    }
}

object PooledLocalFileSystem {

  /** The key in Hadoop's configuration that says where checksum files are: `auto`, `always` or `never`. */
  val ChecksumsKey = "spark.hpc.files.checksums"

  /** Where Hadoop has the checksums of this file ([[ChecksumFileSystem.getChecksumFile]]). A path of Hadoop's would cost
    * more than the request.
    */
  private def sums(file: JavaPath): File = {
    val text = file.toString
    val name = text.lastIndexOf('/') + 1
    new File(s"${text.substring(0, name)}.${text.substring(name)}.crc")
  }
}
