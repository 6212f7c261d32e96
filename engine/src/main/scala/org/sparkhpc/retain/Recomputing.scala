package org.sparkhpc.retain

import org.sparkhpc.retain.Lineage.Sum

/** Tells which blocks take less time to compute again than to write to disk and to read back.
  *
  * The cost of computing a block is its cost at worst, with every block gone that it was computed from. With
  * present costs, each block that is dropped would lengthen the next one's history, which in GraphX doubles with
  * each generation. A block that was requested several times is expected to be read from disk as often, and would
  * be written only once.
  *
  * Not thread-safe, like [[Lineage]].
  */
private[retain] final class Recomputing[K](
    lineage: Lineage[K],
    names: BlockNames[K],
    speed: DiskSpeed
) {

  /** False if the cost of computing the block is unknown. */
  def isCheaper(block: Known[K]): Boolean =
    block.order > 0 && isCheaper(block.block, Sum(block.atWorst, block.bytes, 1), block.requests)

  /** The same for a block that is being computed. Its cost is that of the other blocks of its RDD that fitted in
    * memory. Without these, it is what an earlier computation of the block took, or the present one so far.
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

  /** Fewer computed bytes say nothing about the rest of a block. */
  private val LeastBytes = 64L << 10
}
