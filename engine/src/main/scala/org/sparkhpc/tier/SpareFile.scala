package org.sparkhpc.tier

import java.io.{File, RandomAccessFile}

import com.google.common.io.Closeables

/** A file that is open for reading and writing, as long as it is there. */
private[tier] final class SpareFile(val path: File) {
  val open: RandomAccessFile = new RandomAccessFile(path, "rw")

  /** How many bytes it takes in its file system. */
  var size = 0L

  /** False if it is still there. */
  def delete(): Boolean = {
    Closeables.close(open, true)
    path.delete()
  }
}
