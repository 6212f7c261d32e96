package org.sparkhpc.file

/** The counters of a [[FilePool]] since it was created, and the number of files that it has open now.
  *
  * @param hits reads that found their file open
  * @param opens reads that opened their file, or tried to
  * @param evictions files closed so that another one could be opened
  * @param waits reads that had to wait because all open files were being read
  * @param longestWaitNanos the longest of these waits
  * @param pastBound files opened beyond the bound, by threads that may not wait
  * @param openNow files that are open or being opened
  * @param bound how many files may be open: the pool's size, or less if the process ran out of descriptors
  */
final case class PoolCounts(
    hits: Long,
    opens: Long,
    evictions: Long,
    waits: Long,
    longestWaitNanos: Long,
    pastBound: Long,
    openNow: Int,
    bound: Int
)
