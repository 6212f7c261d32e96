package org.sparkhpc.file

import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.file.{FileSystemException, Paths, StandardOpenOption}

/** Opens files for a pool, no more than `limit` at once, and counts those that weren't closed. */
final class CountedFiles(limit: Int = Int.MaxValue) {
  private var now, highest = 0

  /** How many were open at once. */
  def most: Int = synchronized(highest)

  def open(path: String): FileChannel = synchronized {
    if (now >= limit) throw new FileSystemException(path, null, "Too many open files")
    val file = FileChannel.open(Paths.get(path), StandardOpenOption.READ)
    now += 1
    highest = math.max(highest, now)
    new RefusingChannel {
      override def read(to: ByteBuffer, at: Long): Int = file.read(to, at)

      override protected def implCloseChannel(): Unit = {
        file.close()
        CountedFiles.this.synchronized(now -= 1)
      }
    }
  }
}
