package org.sparkhpc.file

import java.nio.{ByteBuffer, MappedByteBuffer}
import java.nio.channels.{FileChannel, FileLock, ReadableByteChannel, WritableByteChannel}
import java.nio.channels.FileChannel.MapMode

/** A FileChannel whose methods throw an UnsupportedOperationException unless a subclass overrides them. */
abstract class RefusingChannel extends FileChannel {
  override def position(): Long = refuse()
  override def position(to: Long): FileChannel = refuse()
  override def read(to: ByteBuffer): Int = refuse()
  override def read(to: Array[ByteBuffer], from: Int, count: Int): Long = refuse()
  override def read(to: ByteBuffer, at: Long): Int = refuse()
  override def write(from: ByteBuffer): Int = refuse()
  override def write(from: Array[ByteBuffer], first: Int, count: Int): Long = refuse()
  override def write(from: ByteBuffer, at: Long): Int = refuse()
  override def size(): Long = refuse()
  override def truncate(size: Long): FileChannel = refuse()
  override def force(metadata: Boolean): Unit = refuse()
  override def transferTo(at: Long, count: Long, to: WritableByteChannel): Long = refuse()
  override def transferFrom(from: ReadableByteChannel, at: Long, count: Long): Long = refuse()
  override def map(mode: MapMode, at: Long, count: Long): MappedByteBuffer = refuse()
  override def lock(at: Long, count: Long, shared: Boolean): FileLock = refuse()
  override def tryLock(at: Long, count: Long, shared: Boolean): FileLock = refuse()

  private def refuse(): Nothing =
    throw new UnsupportedOperationException(
      s"${getClass.getSimpleName} doesn't support this operation"
    )
}
