package org.sparkhpc.tier

import java.io.{File, RandomAccessFile}

import org.sparkhpc.request.{RequestKind, Requests}

import com.google.common.io.Closeables

/** A file that stays open for reading and writing until it is deleted. */
private[tier] final class SpareFile(val path: File) {
  val open: RandomAccessFile = Requests.make(RequestKind.Open)(new RandomAccessFile(path, "rw"))

  /** The bytes that it takes in its file system. */
  var size = 0L

  /** Closes and deletes the file; false if it is still there. */
  def delete(): Boolean = {
    Closeables.close(open, true)
    path.delete()
  }
}
