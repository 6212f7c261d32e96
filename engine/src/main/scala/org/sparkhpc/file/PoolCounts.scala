package org.sparkhpc.file

/** What a [[FilePool]] has done since it began, and what it has open now.
  *
  * @param hits reads that found their file open
  * @param opens reads that had to open it, or tried to
  * @param evictions files closed so that another one could be opened
  * @param waits reads that had to wait because all open files were being read
  * @param longestWaitNanos of one of these
  * @param pastBound files opened beyond the bound, by threads that mustn't wait
  * @param openNow files that are open, or being opened
  * @param bound how many may be: the pool's size, or less where the process ran out of descriptors
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
