package org.sparkhpc.file

/** The counters of [[SharedFiles]] since the process started, and the number of files that it has open now.
  *
  * @param hits streams that found their file open
  * @param opens streams that opened their file, or tried to
  * @param evictions files closed so that another one could be opened
  * @param openNow files that are open or being opened
  * @param bound how many files may be open before idle ones are closed
  */
final case class SharedFileCounts(
    hits: Long,
    opens: Long,
    evictions: Long,
    openNow: Int,
    bound: Int
)
