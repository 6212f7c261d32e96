package org.sparkhpc.tier

import java.io.File

/** Whether other nodes see at once what one node writes to a file that stays open. */
sealed trait Coherence

object Coherence {

  /** They do: the file system is made so, or only one node sees it. */
  case object Guaranteed extends Coherence

  /** They did when it was measured. */
  case object Observed extends Coherence

  /** They may not, or didn't when it was measured. */
  case object Unproven extends Coherence

  // On these file systems, a read takes a lock that makes other nodes send what they have written. Other shared file
  // systems show data when the file is closed or synchronized, or nothing is known of them. ceph-fuse isn't here: the
  // kernel has old pages for a moment after another node has written over them. fuse.pfs is the testbed's emulator of Lustre.
  private val coherent = Set("ceph", "gpfs", "lustre", "wekafs", "fuse.wekafs", "fuse.pfs")

  // File systems of one node that aren't on a block device of their own.
  private val ofOneNode =
    Set("aufs", "bcachefs", "btrfs", "ecryptfs", "fuse.fuse-overlayfs", "overlay", "rootfs", "zfs")

  /** Whether the type of the file system that holds a directory is enough to know that it is coherent. */
  def isGuaranteed(directory: File, mounts: MountTable): Boolean =
    mounts.mountOf(directory).exists(isGuaranteed)

  private[tier] def isGuaranteed(mount: MountTable.Mount): Boolean = {
    val kind = mount.fileSystemType
    FileSystemKind.of(kind) match {
      case FileSystemKind.Shared => coherent(kind)
      case FileSystemKind.Memory => true
      // Network file systems have no block device. One that we don't list may be shared.
      case FileSystemKind.Local => ofOneNode(kind) || !mount.device.startsWith("0:")
    }
  }
}
