package org.apache.spark.shuffle.hpc.place

import java.io.File

import org.sparkhpc.tier.{FileSystemKind, MountTable}

/** Whether other nodes see at once what one writes to a file that it keeps open. */
private[hpc] object Coherence {

  // Their nodes ask each other, by locks, before one reads what another has. Others show it when the
  // file is closed or synchronized. fuse.pfs is the testbed's emulator of Lustre.
  private val coherent = Set("ceph", "gpfs", "lustre", "wekafs", "fuse.wekafs", "fuse.pfs")

  def of(directory: File, mounts: MountTable): Boolean =
    mounts.typeOf(directory).exists { kind =>
      coherent(kind) || FileSystemKind.of(kind) != FileSystemKind.Shared
    }
}
