package org.sparkhpc.tier

import java.io.File

/** Tells whether data that one node writes to an open file is visible to other nodes at once. */
object Coherence {

  // On these file systems, a read takes a lock that makes other nodes send what they have written. Other file systems
  // show data when the file is closed or synchronized. fuse.pfs is the testbed's emulator of Lustre.
  private val coherent = Set("ceph", "gpfs", "lustre", "wekafs", "fuse.wekafs", "fuse.pfs")

  def of(directory: File, mounts: MountTable): Boolean =
    mounts.typeOf(directory).exists { kind =>
      coherent(kind) || FileSystemKind.of(kind) != FileSystemKind.Shared
    }
}
