package org.apache.spark.shuffle.hpc.read

import com.google.common.cache.{Cache, CacheBuilder}

import org.apache.spark.scheduler.MapStatus
import org.sparkhpc.container.Block

/** Estimates the lengths of blocks from map statuses, which have them roughly.
  *
  * @param statuses the map statuses of a shuffle as this process has them now
  */
private[hpc] final class OutputSizes(statuses: Int => Option[Array[MapStatus]]) {
  import OutputSizes._

  private val byShuffle: Cache[Integer, ByTask] =
    CacheBuilder.newBuilder().maximumSize(MostShuffles).build()

  /** The total bytes of these blocks. None if this process doesn't know them. */
  def of(shuffle: Int, blocks: Seq[Block]): Option[Long] =
    statuses(shuffle).map { present =>
      // Spark replaces the whole array when one status changes.
      val known = Option(byShuffle.getIfPresent(shuffle)).filter(_.statuses eq present)
      val byTask = known.getOrElse {
        val made = new ByTask(present)
        byShuffle.put(shuffle, made)
        made
      }
      blocks.iterator.map(byTask.bytes).sum
    }
}

private object OutputSizes {
  private val MostShuffles = 16L

  private final class ByTask(val statuses: Array[MapStatus]) {
    private val outputs =
      statuses.iterator.filter(_ != null).map(status => status.mapId -> status).toMap

    def bytes(block: Block): Long =
      outputs.get(block.mapTaskId).fold(0L) { output =>
        (block.start until block.end).iterator.map(output.getSizeForBlock).sum
      }
  }
}
