package org.sparkhpc.retain

import java.util.{Comparator, PriorityQueue}

import scala.collection.mutable
import scala.util.hashing.MurmurHash3

/** Estimates the cost of computing blocks again, from what was observed when they were computed.
  *
  * A block's cost is its own plus that of each block that it reads and that isn't in memory or on disk, once for
  * each path. Spark computes a missing block as often as it is requested, so in GraphX, where a generation reads
  * the last one twice, the cost doubles with each generation. A block whose RDD isn't persisted any more is
  * folded into its readers, so only persisted blocks are kept.
  *
  * Not thread-safe.
  *
  * @param changed called with each block whose cost changed
  */
private[retain] final class Lineage[K](names: BlockNames[K], changed: Known[K] => Unit) {
  import Lineage._

  private val byRdd = mutable.LongMap.empty[mutable.HashMap[K, Known[K]]]
  private val sums = mutable.LongMap.empty[Sum]
  private var computations = 0L

  /** The totals of an RDD's blocks that were computed and stored in memory. */
  def stored(rdd: Int): Option[Sum] = sums.get(rdd.toLong)

  def get(block: K): Option[Known[K]] = byRdd.get(names.rdd(block).toLong).flatMap(_.get(block))

  def of(block: K): Known[K] =
    byRdd
      .getOrElseUpdate(names.rdd(block).toLong, mutable.HashMap.empty)
      .getOrElseUpdate(block, new Known(block))

  def ofRdd(rdd: Int): Iterator[Known[K]] =
    byRdd.get(rdd.toLong).iterator.flatMap(_.valuesIterator)

  def clear(): Unit = {
    byRdd.clear()
    sums.clear()
  }

  /** Records that the block was computed from `reads`. A later computation of the same block changes nothing:
    * only the first one shows all blocks that it reads.
    */
  def computed(block: K, nanos: Long, reads: Seq[K]): Unit = {
    val known = of(block)
    if (known.order == 0) {
      computations += 1
      known.order = computations
      known.own = nanos.toDouble
      val paths = mutable.LinkedHashMap.empty[Known[K], Double]
      for (read <- reads if read != block) {
        val from = of(read)
        paths.update(from, paths.getOrElse(from, 0.0) + 1)
      }
      shape(known, paths)
      connect(known, paths)
      known.atWorst = limited(known.own + sum(known)(_.atWorst))
      if (known.bytes > 0) {
        val rdd = names.rdd(block).toLong
        val sum = sums.getOrElse(rdd, Sum(0.0, 0, 0))
        val cost = limited(sum.atWorst + known.atWorst)
        sums.update(rdd, Sum(cost, sum.bytes + known.bytes, sum.blocks + 1))
      }
      update(known)
    }
  }

  /** Updates the costs of the readers of a block that came to memory or disk, or left them. */
  def moved(from: Known[K]): Unit = {
    val queue = new PriorityQueue[Known[K]](Comparator.comparingLong[Known[K]](_.order))
    from.foreachReader(queue.add(_))
    var steps = 0
    while (!queue.isEmpty && steps < MaxSteps) {
      val reader = queue.poll()
      if (update(reader) && !reader.isAvailable) reader.foreachReader(queue.add(_))
      steps += 1
    }
  }

  /** The block left memory. One that isn't of an RDD is forgotten: a long-lived program has any number of them. */
  def left(known: Known[K]): Unit = {
    val rdd = names.rdd(known.block)
    if (rdd < 0) byRdd.get(rdd.toLong).foreach(_ -= known.block)
  }

  /** Folds the RDD's blocks into their readers, since none of them will be kept again. */
  def forget(rdd: Int): Unit = {
    sums.remove(rdd.toLong)
    for (blocks <- byRdd.remove(rdd.toLong); dead <- blocks.valuesIterator) {
      dead.inMemory = false
      dead.onDisk = false
      fold(dead)
    }
  }

  private def fold(dead: Known[K]): Unit = {
    dead.reads.foreach(_.removeReader(dead))
    val readers = Option(dead.readers).fold(Seq.empty[Known[K]])(_.toList)
    for (reader <- readers) {
      val paths = mutable.LinkedHashMap(reader.reads.zip(reader.paths): _*)
      val through = paths.remove(dead).getOrElse(0.0)
      reader.reads.foreach(_.removeReader(reader))
      reader.own = limited(reader.own + through * dead.own)
      for ((read, times) <- dead.reads.zip(dead.paths))
        paths.update(read, limited(paths.getOrElse(read, 0.0) + through * times))
      connect(reader, paths)
      if (update(reader) && !reader.isAvailable) moved(reader)
    }
  }

  /** Computes the shapes, which are the same for all generations of a loop but the first few. */
  private def shape(known: Known[K], paths: Iterable[(Known[K], Double)]): Unit =
    for (depth <- known.shapes.indices)
      known.shapes(depth) = 1 + MurmurHash3.unorderedHash(
        paths.map { case (read, times) =>
          if (depth == 0) times else times -> read.shapes(depth - 1)
        }
      )

  private def connect(reader: Known[K], paths: Iterable[(Known[K], Double)]): Unit = {
    // The others count at their worst cost: whether they are in memory or on disk isn't tracked.
    val (kept, rest) = paths.toSeq.splitAt(MaxReads)
    reader.reads = kept.map(_._1).toArray[Known[K]]
    reader.paths = kept.map(_._2).toArray
    reader.own = limited(reader.own + rest.map { case (read, times) => read.atWorst * times }.sum)
    kept.foreach(_._1.addReader(reader))
  }

  /** Computes the block's cost again; true if it changed. */
  private def update(known: Known[K]): Boolean = {
    val before = known.again
    known.again =
      limited(known.own + sum(known)(read => if (read.isAvailable) 0.0 else read.again))
    val isChanged = known.again != before
    if (isChanged) changed(known)
    isChanged
  }

  private def sum(known: Known[K])(cost: Known[K] => Double): Double = {
    var total = 0.0
    var i = 0
    while (i < known.reads.length) {
      total += known.paths(i) * cost(known.reads(i))
      i += 1
    }
    total
  }
}

private[retain] object Lineage {

  /** Totals of some blocks: the time to compute them at worst, in nanoseconds, their bytes in memory, and their
    * number.
    */
  final case class Sum(atWorst: Double, bytes: Long, blocks: Long)

  /** How many blocks one change may update. Those further down the lineage keep their old cost. */
  val MaxSteps = 1000

  /** How many of the blocks that one block reads are tracked. */
  val MaxReads = 64

  /** Far above any cost that makes a difference, and far below what a Double can hold. */
  val MaxCost = 1e150

  private def limited(cost: Double): Double = math.min(cost, MaxCost)
}
