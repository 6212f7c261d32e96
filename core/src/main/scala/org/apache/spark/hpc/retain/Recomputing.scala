package org.apache.spark.hpc.retain

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
    block.order > 0 &&
      isCheaper(names.rdd(block.block), block.atWorst, block.bytes, block.requests)

  /** The same of a block that is being computed: by other blocks of its RDD that fitted in memory, or
    * else by what it took before, or so far.
    */
  def isCheaper(block: K, soFar: SoFar[K]): Boolean = {
    val known = lineage.get(block)
    val times = known.fold(1)(_.requests)
    val rdd = names.rdd(block)
    lineage.ofBytes(rdd) match {
      case Some((nanos, bytes)) => isCheaper(rdd, nanos, bytes, times)
      case None =>
        val nanos = known.filter(_.order > 0).map(_.atWorst).getOrElse {
          soFar.nanos + soFar.reads.map(read => lineage.get(read).fold(0.0)(_.atWorst)).sum
        }
        soFar.bytes >= Recomputing.LeastBytes && isCheaper(rdd, nanos, soFar.bytes, times)
    }
  }

  private def isCheaper(rdd: Int, nanos: Double, bytes: Long, requests: Int): Boolean = {
    val times = math.max(1, requests)
    times * nanos < speed.nanosToWrite(bytes, rdd) + times * speed.nanosToRead(bytes, rdd)
  }
}

private object Recomputing {

  /** Fewer say nothing of a whole block. */
  private val LeastBytes = 64L << 10
}
