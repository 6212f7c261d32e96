package org.apache.spark.storage.hpc.spill

import java.io.{File, FileDescriptor, FileInputStream}
import java.nio.channels.FileChannel

/** Replaces the FileInputStream that UnsafeShuffleWriter constructs for each spill, from whose channel it copies. */
private[spark] final class SpillCopyStream(file: File)
    extends FileInputStream(new FileDescriptor) {
  private val in = SpillFiles.recycled(file, SpillFiles.AheadOfBlocks)
    .getOrElse(new FileInputStream(file))

  override def getChannel: FileChannel = in.getChannel
  override def close(): Unit = in.close()
}
