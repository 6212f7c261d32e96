package org.apache.spark.examples.hpc

import java.util.Locale

/** What a part of a run cost: a value that can be added up. */
final case class RunCounters(
    shuffleRead: Long,
    shuffleWritten: Long,
    dropped: Long,
    spilled: Long,
    cpuNanos: Long
) {

  def -(earlier: RunCounters): RunCounters = RunCounters(
    shuffleRead - earlier.shuffleRead,
    shuffleWritten - earlier.shuffleWritten,
    dropped - earlier.dropped,
    spilled - earlier.spilled,
    cpuNanos - earlier.cpuNanos
  )

  override def toString: String =
    s"shuffleReadBytes=$shuffleRead shuffleWrittenBytes=$shuffleWritten " +
      s"evictedBlocks=${dropped + spilled} dropped=$dropped spilled=$spilled " +
      "cpuSeconds=%.3f".formatLocal(Locale.ROOT, cpuNanos / 1e9)
}

object RunCounters {
  val Zero: RunCounters = RunCounters(0, 0, 0, 0, 0)
}
