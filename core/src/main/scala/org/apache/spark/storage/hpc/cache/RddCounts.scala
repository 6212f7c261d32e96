package org.apache.spark.storage.hpc.cache

import java.util.concurrent.ConcurrentHashMap

import scala.collection.JavaConverters._

import org.roaringbitmap.RoaringBitmap

import org.apache.spark.hpc.profile.Recomputation
import org.apache.spark.storage.RDDBlockId

/** Counts by RDD what happened to its cached blocks in this process: the bytes that were written to disk and read back,
  * and the blocks that were computed again. A block that another executor computed before isn't known here.
  *
  * An iterative program makes new RDDs in each iteration, so these are counts by iteration as well.
  */
private[spark] final class RddCounts {
  import RddCounts._

  private val computed = new ConcurrentHashMap[Int, RoaringBitmap]
  private val untaken = new ConcurrentHashMap[Int, Counts]

  def written(block: RDDBlockId, bytes: Long): Unit = add(block, Counts(written = bytes))

  def readBack(block: RDDBlockId, bytes: Long): Unit = add(block, Counts(readBack = bytes))

  /** Computes a block, and counts it if this process had computed it before. */
  def compute[T](block: RDDBlockId, values: () => Iterator[T]): Iterator[T] =
    if (isFirst(block)) values()
    else {
      add(block, Counts(again = 1))
      Recomputation.values(values)
    }

  /** The RDD was unpersisted: what is computed from now on isn't computed again for lack of memory. */
  def forget(rdd: Int): Unit = computed.remove(rdd): Unit

  /** What happened since the last call: `rdd.ID.written` and `rdd.ID.readBack` in bytes, `rdd.ID.again` in blocks. At most
    * [[MostAtOnce]] RDDs; the others come with the next call.
    */
  def take(): Map[String, Double] = {
    val ids = untaken.keySet.asScala.take(MostAtOnce).toSeq
    ids.flatMap(rdd => Option(untaken.remove(rdd)).toSeq.flatMap(_.figures(s"rdd.$rdd"))).toMap
  }

  private def isFirst(block: RDDBlockId): Boolean = {
    var first = false
    computed.compute(
      block.rddId,
      (_, before) => {
        val splits = if (before == null) new RoaringBitmap else before
        first = splits.checkedAdd(block.splitIndex)
        splits
      }
    )
    first
  }

  private def add(block: RDDBlockId, more: Counts): Unit =
    // Nobody takes them if the settings say that nothing is watched.
    if (untaken.size < MostKept || untaken.containsKey(block.rddId))
      untaken.merge(block.rddId, more, (before, its) => before + its): Unit
}

private object RddCounts {
  private val MostAtOnce = 200
  private val MostKept = 10000

  private final case class Counts(written: Long = 0, readBack: Long = 0, again: Long = 0) {
    def +(other: Counts): Counts =
      Counts(written + other.written, readBack + other.readBack, again + other.again)

    def figures(prefix: String): Seq[(String, Double)] =
      Seq("written" -> written, "readBack" -> readBack, "again" -> again).collect {
        case (name, count) if count > 0 => s"$prefix.$name" -> count.toDouble
      }
  }
}
