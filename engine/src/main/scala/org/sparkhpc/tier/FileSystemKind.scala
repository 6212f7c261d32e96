package org.sparkhpc.tier

/** The kind of file system that holds a directory, as far as scratch is concerned.
  *
  * The mount table tells the kind, never a variable's name: some sites call a shared directory `LOCAL`, or vice
  * versa.
  */
sealed abstract class FileSystemKind(val name: String)

object FileSystemKind {

  /** The node's memory. */
  case object Memory extends FileSystemKind("memory")

  /** A disk of the node, or an image that only this node has mounted. */
  case object Local extends FileSystemKind("local")

  /** A file system that other nodes see as well; a write may wait for other machines. */
  case object Shared extends FileSystemKind("shared")

  private val memory = Set("tmpfs", "ramfs")

  /** The kind of this name; None if there is none. */
  def named(name: String): Option[FileSystemKind] = Seq(Memory, Local, Shared).find(_.name == name)

  // These file systems in user space are shared; all others are overlays and images.
  // fuse.pfs is the testbed's emulator of Lustre.
  private val sharedInUserSpace =
    Set("mfs", "beegfs", "ceph-fuse", "glusterfs", "juicefs", "orangefs", "wekafs", "pfs")

  private val shared = Set(
    "afs",
    "beegfs",
    "ceph",
    "cifs",
    "dvs",
    "gpfs",
    "lustre",
    "nfs",
    "nfs4",
    "orangefs",
    "panfs",
    "pvfs2",
    "smb3",
    "wekafs"
  ) ++ sharedInUserSpace.map("fuse." + _)

  /** The kind of a file system type, as the mount table names it. An unlisted type counts as a disk. */
  def of(fileSystemType: String): FileSystemKind =
    if (memory(fileSystemType)) Memory else if (shared(fileSystemType)) Shared else Local
}
