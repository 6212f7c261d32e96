package org.sparkhpc.container

import java.nio.ByteBuffer
import java.nio.channels.FileChannel

import org.sparkhpc.file.RefusingChannel

/** A file whose syncs are what a test makes of them. */
final class SyncChannel(file: FileChannel, sync: () => Unit) extends RefusingChannel {
  override def read(to: ByteBuffer, at: Long): Int = file.read(to, at)

  override def write(from: ByteBuffer, at: Long): Int = file.write(from, at)

  override def truncate(length: Long): FileChannel = file.truncate(length)

  override def force(withMetadata: Boolean): Unit = sync()

  override protected def implCloseChannel(): Unit = file.close()
}
