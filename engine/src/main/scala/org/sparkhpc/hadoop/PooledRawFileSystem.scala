package org.sparkhpc.hadoop

import java.io.{File, FileNotFoundException, IOException, OutputStream}
import java.net.URI
import java.nio.file.{Files, LinkOption, Path}
import java.util.EnumSet

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{Path => HadoopPath, _}
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.hadoop.fs.statistics.BufferedIOStatisticsOutputStream
import org.apache.hadoop.util.Progressable
import org.sparkhpc.file.{FileFacts, SharedFile, SharedFiles}
import org.sparkhpc.tier.FileSystemKind
import org.sparkhpc.request.{RequestKind, Requests}

/** Hadoop's local file system with fewer requests:
  *
  *  1. On a shared file system, a file is opened once for all of its readers ([[org.sparkhpc.file.SharedFiles]]).
  *  1. A status takes one stat, and a listing one for each file. A listing on a shared file system asks for many at
  *     once.
  *  1. What is created gets its permissions with the same request. No command (`chmod`, `ls`) is started.
  *
  * It has no checksums: [[PooledLocalFileSystem]] is around it. A failure while files are listed is reported; Hadoop's
  * own listing leaves out the files that it can't ask for.
  *
  * @param known the place of all files; None to ask the mount table
  */
final class PooledRawFileSystem private[hadoop] (
    readers: Readers,
    files: SharedFiles,
    known: Option[Places.Place]
) extends RawLocalFileSystem {
  import PooledRawFileSystem._

  private var blockSize = 0L
  private var places = new Places(None)

  def this(readers: Readers) = this(readers, ProcessFiles.files, None)

  override def initialize(uri: URI, conf: Configuration): Unit = {
    super.initialize(uri, conf)
    blockSize = getDefaultBlockSize(new HadoopPath(uri))
    places = new Places(FileSystemKind.named(conf.get(KindKey, "auto")))
  }

  /** Where the file is. Whoever needs it more than once asks once: it costs as much as a request to the kernel. */
  private[hadoop] def fileOf(f: HadoopPath): Path = Failures.path(pathToFile(f).getPath, f)

  private[hadoop] def isShared(file: Path): Boolean = place(file).isShared

  override def open(f: HadoopPath, bufferSize: Int): FSDataInputStream = {
    val path = fileOf(f)
    val its = place(path)
    if (its.isShared) {
      val facts = Failures.translated(path)(FileFacts.of(path))
      if (facts.isDirectory) throw new FileNotFoundException(s"$path (Is a directory)")
      val owner = if (its.isCoherent) null else readers.current(files.forgetOwner)
      val isAlone = owner == null && !its.isCoherent
      val mine = if (isAlone) new Object else owner
      val file = Failures.translated(path)(files.open(path, facts.identity, mine))
      def release(file: SharedFile): Unit = {
        if (isAlone) files.forgetOwner(mine)
        files.release(file)
      }
      new FSDataInputStream(new SharedFileStream(file, facts.size, bufferSize, statistics, release))
    } else {
      super.open(f, bufferSize)
    }
  }

  override def create(
      f: HadoopPath,
      overwrite: Boolean,
      bufferSize: Int,
      replication: Short,
      blockSize: Long,
      progress: Progressable
  ): FSDataOutputStream = created(f, overwrite, true, bufferSize, null)

  override def create(
      f: HadoopPath,
      permission: FsPermission,
      overwrite: Boolean,
      bufferSize: Int,
      replication: Short,
      blockSize: Long,
      progress: Progressable
  ): FSDataOutputStream = created(f, overwrite, true, bufferSize, permission)

  override def createNonRecursive(
      f: HadoopPath,
      permission: FsPermission,
      overwrite: Boolean,
      bufferSize: Int,
      replication: Short,
      blockSize: Long,
      progress: Progressable
  ): FSDataOutputStream = created(f, overwrite, false, bufferSize, permission)

  override def createNonRecursive(
      f: HadoopPath,
      permission: FsPermission,
      flags: EnumSet[CreateFlag],
      bufferSize: Int,
      replication: Short,
      blockSize: Long,
      progress: Progressable
  ): FSDataOutputStream =
    created(f, flags.contains(CreateFlag.OVERWRITE), false, bufferSize, permission)

  override def rename(from: HadoopPath, to: HadoopPath): Boolean =
    forgetting(fileOf(from), fileOf(to))(metadata(super.rename(from, to)))

  override def delete(f: HadoopPath, recursive: Boolean): Boolean =
    forgetting(fileOf(f))(metadata(super.delete(f, recursive)))

  /** Renames by one request. False if that isn't possible, or takes more. */
  private[hadoop] def isRenamed(from: Path, to: Path): Boolean =
    forgetting(from, to)(metadata(from.toFile.renameTo(to.toFile)))

  /** Deletes a file or an empty directory by one request. False if that isn't possible, or takes more. */
  private[hadoop] def isDeleted(file: Path): Boolean =
    forgetting(file)(metadata(file.toFile.delete()))

  override def exists(f: HadoopPath): Boolean = metadata(pathToFile(f).exists)

  override def getFileStatus(f: HadoopPath): FileStatus = {
    val path = fileOf(f)
    status(path, Failures.translated(path)(FileFacts.of(path)))
  }

  /** Hadoop's own starts a command to see whether the file is a link. */
  override def getFileLinkStatus(f: HadoopPath): FileStatus = {
    val path = fileOf(f)
    val facts = Failures.translated(path)(FileFacts.of(path, LinkOption.NOFOLLOW_LINKS))
    if (facts.isSymbolicLink) super.getFileLinkStatus(f) else status(path, facts)
  }

  override def listStatus(f: HadoopPath): Array[FileStatus] = listStatus(f, _ => true)

  /** Asks only for the statuses of accepted names. */
  override def listStatus(f: HadoopPath, filter: PathFilter): Array[FileStatus] = {
    val directory = fileOf(f)
    metadata(directory.toFile.list) match {
      case null =>
        val facts = Failures.translated(directory)(FileFacts.of(directory))
        if (facts.isDirectory) throw unreadable(directory)
        Array(status(directory, facts)).filter(its => filter.accept(its.getPath))
      case names =>
        val paths = names.map(name => Failures.path(s"$directory/$name", f))
          .filter(path => filter.accept(new HadoopPath(path.toString)))
        val isParallel = paths.length > Listing.FewFiles && place(paths.head).isShared
        Listing.facts(paths, isParallel).map { case (path, facts) => status(path, facts) }
    }
  }

  override def setPermission(f: HadoopPath, permission: FsPermission): Unit = {
    val path = fileOf(f)
    def set(): Path = Files.setAttribute(path, "unix:mode", permission.toShort.toInt)
    Failures.translated(path)(metadata(set())): Unit
  }

  protected override def mkOneDirWithMode(
      f: HadoopPath,
      directory: File,
      permission: FsPermission
  ): Boolean = {
    val mode = masked(Option(permission).getOrElse(FsPermission.getDirDefault))
    val isMade = metadata(directory.mkdir())
    if (isMade && !Umask.gives(mode.toShort.toInt, AllOfDirectory)) setPermission(f, mode)
    isMade
  }

  private def created(
      f: HadoopPath,
      overwrite: Boolean,
      withParents: Boolean,
      bufferSize: Int,
      permission: FsPermission
  ): FSDataOutputStream = {
    val file = pathToFile(f)
    val isThere = !Staging.isNew(f) && metadata(file.exists)
    if (isThere && !overwrite) throw new FileAlreadyExistsException(s"File already exists: $f")
    val out =
      try new LocalOutputStream(file)
      catch {
        case _: FileNotFoundException if withParents && !isThere && makeParent(f) =>
          new LocalOutputStream(file)
      }
    try {
      val mode = masked(Option(permission).getOrElse(FsPermission.getFileDefault))
      if (isThere || !Umask.gives(mode.toShort.toInt, AllOfFile)) setPermission(f, mode)
    } catch {
      case failure: Throwable =>
        out.close()
        throw failure
    }
    val buffered: OutputStream = new BufferedIOStatisticsOutputStream(out, bufferSize, true)
    new FSDataOutputStream(buffered, statistics)
  }

  private def forgetting[A](changed: Path*)(change: => A): A =
    try change
    finally changed.foreach(files.forget)

  /** Makes the parent, unless another task has made it meanwhile. False if there is none. */
  private def makeParent(f: HadoopPath): Boolean =
    Option(f.getParent).exists { parent =>
      if (!pathToFile(parent).isDirectory && !mkdirs(parent))
        throw new IOException(s"Mkdirs failed to create $parent")
      true
    }

  private def metadata[A](request: => A): A = Requests.make(RequestKind.Metadata)(request)

  private def masked(permission: FsPermission) =
    permission.applyUMask(FsPermission.getUMask(getConf))

  private def place(path: Path): Places.Place = known.getOrElse(places.of(path))

  private def status(path: Path, facts: FileFacts): FileStatus = {
    val qualified = new HadoopPath(path.toString).makeQualified(getUri, getWorkingDirectory)
    new LocalStatus(facts, blockSize, qualified)
  }
}

object PooledRawFileSystem {

  /** The key in Hadoop's configuration that says on which kind of file system all files are: `local` or `shared`;
    * anything else asks the mount table.
    */
  val KindKey = "spark.hpc.files.kind"

  private val AllOfFile = 0x1b6 // rw-rw-rw-
  private val AllOfDirectory = 0x1ff // rwxrwxrwx

  private def unreadable(directory: Path) =
    new IOException(s"$directory can't be listed: it must be readable for this process's user")
}
