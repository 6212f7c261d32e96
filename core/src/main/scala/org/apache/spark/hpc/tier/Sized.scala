package org.apache.spark.hpc.tier

import java.io.File

/** What may be promised of a place, for people: its capacity is never more than its file system has. */
object Sized {

  /** @param limit bytes; Long.MaxValue where there is none, which stays so */
  def within(limit: Long, directories: Seq[File]): Long =
    if (limit == Long.MaxValue) limit
    // A file system that doesn't know its size says 0.
    else (limit +: directories.map(_.getTotalSpace).filter(_ > 0)).min
}
