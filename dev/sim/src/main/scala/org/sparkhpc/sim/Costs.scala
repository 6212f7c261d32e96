package org.sparkhpc.sim

/** What getting blocks back took in a replay, besides computing each once.
  *
  * @param computingNanos computing blocks again
  * @param diskNanos writing and reading them
  * @param isCutShort computing again took more steps than are replayed; the costs are a lower bound
  */
final case class Costs(
    computingNanos: Double = 0,
    diskNanos: Double = 0,
    computedAgain: Long = 0,
    bytesWritten: Long = 0,
    bytesRead: Long = 0,
    evictions: Long = 0,
    isCutShort: Boolean = false
) {
  def nanos: Double = computingNanos + diskNanos
}
