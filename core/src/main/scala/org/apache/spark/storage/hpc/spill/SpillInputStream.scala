package org.apache.spark.storage.hpc.spill

import java.io.{File, FileDescriptor, FileInputStream}
import java.nio.channels.FileChannel

/** Replaces the FileInputStream that ExternalSorter and ExternalAppendOnlyMap construct for each batch of records that
  * they read back. [[SpillFiles]] decides whether it opens the file.
  */
private[spark] final class SpillInputStream(file: File)
    extends FileInputStream(new FileDescriptor) {
  private val in = SpillFiles.open(file)

  override def read(): Int = in.read()
  override def read(bytes: Array[Byte]): Int = in.read(bytes)
  override def read(bytes: Array[Byte], from: Int, count: Int): Int = in.read(bytes, from, count)
  override def skip(count: Long): Long = in.skip(count)
  override def available(): Int = in.available()
  override def getChannel: FileChannel = in.getChannel
  override def close(): Unit = in.close()
}
