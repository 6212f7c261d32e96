package org.sparkhpc.retain

/** What a block that is being computed has taken until now.
  *
  * @param nanos time, without that of the blocks it reads
  * @param bytes of memory that were computed
  * @param reads the cached blocks it was computed from
  * @param isWhole whether all of its values are there
  */
final case class SoFar[K](nanos: Long, bytes: Long, reads: Seq[K], isWhole: Boolean = false)
