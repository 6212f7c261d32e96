package org.sparkhpc.tier

import java.io.File

/** Keeps a capacity from being larger than the file system that it is on. */
object FileSystemSize {

  /** The capacity, or the size of the smallest file system of these directories, if that is less.
    *
    * @param capacity bytes; Long.MaxValue where there is no limit, which stays so
    */
  def cap(capacity: Long, directories: Seq[File]): Long =
    if (capacity == Long.MaxValue) capacity
    // A file system that doesn't know its size says 0.
    else (capacity +: directories.map(_.getTotalSpace).filter(_ > 0)).min
}
