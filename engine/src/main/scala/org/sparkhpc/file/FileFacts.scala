package org.sparkhpc.file

import java.nio.file.{Files, LinkOption, Path}
import java.nio.file.attribute.FileTime

import org.sparkhpc.request.{RequestKind, Requests}

/** What one stat tells of a file.
  *
  * @param size in bytes
  * @param mode type and permissions, as in stat(2)
  * @param identity which file it is, in which state
  */
final case class FileFacts(
    size: Long,
    mode: Int,
    isDirectory: Boolean,
    accessed: FileTime,
    identity: FileFacts.Identity
) {
  def modified: FileTime = identity.modified

  def isSymbolicLink: Boolean = (mode & FileFacts.TypeBits) == FileFacts.Link
}

object FileFacts {

  /** A file in one state. Two stats give the same identity if the file wasn't replaced, written or renamed between
    * them. A file that is renamed and renamed back has another `changed`.
    *
    * Some file systems have times of one second: there, a change within it that keeps the size isn't seen. So an
    * identity says whether an open descriptor may be used again, never whether bytes that were read are still right.
    */
  final case class Identity(
      device: Long,
      inode: Long,
      size: Long,
      modified: FileTime,
      changed: FileTime
  )

  // One call of the system, since all are in one view.
  private val Names =
    "unix:size,mode,isDirectory,lastAccessTime,lastModifiedTime,ctime,dev,ino"

  // As in inode(7).
  private val TypeBits = 0xf000
  private val Link = 0xa000

  /** Asks the file system; symbolic links are followed, unless the options say otherwise. Throws the
    * `FileSystemException` of the failed stat.
    */
  def of(path: Path, options: LinkOption*): FileFacts = {
    val found =
      Requests.make(RequestKind.Metadata)(Files.readAttributes(path, Names, options: _*))
    def long(name: String): Long = found.get(name).asInstanceOf[Long]
    def time(name: String): FileTime = found.get(name).asInstanceOf[FileTime]
    FileFacts(
      long("size"),
      found.get("mode").asInstanceOf[Int],
      found.get("isDirectory").asInstanceOf[Boolean],
      time("lastAccessTime"),
      Identity(
        long("dev"),
        long("ino"),
        long("size"),
        time("lastModifiedTime"),
        time("ctime")
      )
    )
  }
}
