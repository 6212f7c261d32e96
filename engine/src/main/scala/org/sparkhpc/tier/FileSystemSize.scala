package org.sparkhpc.tier

import java.io.File

/** Limits a capacity to the size of its file system. */
object FileSystemSize {

  /** The capacity, or the size of the smallest file system of these directories, if that is less.
    *
    * @param capacity bytes; Long.MaxValue, for no limit, is returned as it is
    */
  def cap(capacity: Long, directories: Seq[File]): Long =
    if (capacity == Long.MaxValue) capacity
    // A file system that doesn't know its size reports 0.
    else (capacity +: directories.map(_.getTotalSpace).filter(_ > 0)).min
}
