package org.sparkhpc.retain

/** What computing a block has taken so far.
  *
  * @param nanos the time, without that of the blocks that it reads
  * @param bytes the computed bytes in memory
  * @param reads the cached blocks that it is computed from
  * @param isWhole whether all of its values are computed
  */
final case class SoFar[K](nanos: Long, bytes: Long, reads: Seq[K], isWhole: Boolean = false)
