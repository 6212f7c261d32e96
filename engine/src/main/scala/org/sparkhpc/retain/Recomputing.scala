package org.sparkhpc.retain

import org.sparkhpc.retain.Lineage.Sum

/** Says which blocks take less to compute again than to write to disk and to read from there.
  *
  * What computing a block takes is taken at its worst, with everything gone that it was computed from:
  * by its present cost each block that is dropped would lengthen the next one's history, which in GraphX
  * doubles with each generation. A block that was asked for several times is expected to be read from
  * disk as often, and would be written once for all of them.
  *
  * Not thread-safe, as the lineage.
  */
private[retain] final class Recomputing[K](
    lineage: Lineage[K],
    names: BlockNames[K],
    speed: DiskSpeed
) {

  /** False if nothing is known of computing it. */
  def isCheaper(block: Known[K]): Boolean =
    block.order > 0 && isCheaper(block.block, Sum(block.atWorst, block.bytes, 1), block.requests)

  /** The same of a block that is being computed: by other blocks of its RDD that fitted in memory, or
    * else by what it took before, or so far.
    */
  def isCheaper(block: K, soFar: SoFar[K]): Boolean = {
    val known = lineage.get(block)
    val times = known.fold(1)(_.requests)
    lineage.stored(names.rdd(block)) match {
      case Some(others) => isCheaper(block, others, times)
      case None =>
        val nanos = known.filter(_.order > 0).map(_.atWorst).getOrElse {
          soFar.nanos + soFar.reads.map(read => lineage.get(read).fold(0.0)(_.atWorst)).sum
        }
        (soFar.isWhole || soFar.bytes >= Recomputing.LeastBytes) &&
        isCheaper(block, Sum(nanos, soFar.bytes, 1), times)
    }
  }

  private def isCheaper(block: K, some: Sum, requests: Int): Boolean = {
    val rdd = names.rdd(block)
    val times = math.max(1, requests)
    times * some.atWorst < speed.nanosToWrite(some.bytes, rdd, some.blocks) +
      times * speed.nanosToRead(some.bytes, rdd, some.blocks)
  }
}

private object Recomputing {

  /** Fewer say nothing of the rest of a block. */
  private val LeastBytes = 64L << 10
}
