package org.sparkhpc.container

import java.io.Closeable
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption.READ

/** A file's bytes, read through a descriptor of its own. */
final class FileBytes(path: Path) extends Bytes with Closeable {
  private val channel = FileChannel.open(path, READ)

  override def name: String = path.toString
  override def read(to: ByteBuffer, position: Long): Int = channel.read(to, position)
  def length: Long = channel.size
  override def close(): Unit = channel.close()
}
