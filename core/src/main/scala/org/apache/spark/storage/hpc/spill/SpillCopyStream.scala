package org.apache.spark.storage.hpc.spill

import java.io.{File, FileDescriptor, FileInputStream}
import java.nio.channels.FileChannel

/** What UnsafeShuffleWriter constructs as a FileInputStream for each spill, of which it takes the channel
  * to copy from.
  */
private[spark] final class SpillCopyStream(file: File)
    extends FileInputStream(new FileDescriptor) {
  private val in = SpillFiles.recycled(file, SpillFiles.AheadOfBlocks)
    .getOrElse(new FileInputStream(file))

  override def getChannel: FileChannel = in.getChannel
  override def close(): Unit = in.close()
}
