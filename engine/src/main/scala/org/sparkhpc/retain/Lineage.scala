package org.sparkhpc.retain

import java.util.{Comparator, PriorityQueue}

import scala.collection.mutable
import scala.util.hashing.MurmurHash3

/** What it takes to compute blocks again, from what was seen when they were computed.
  *
  * The cost of a block is its own and that of each block it reads that isn't in memory or on disk,
  * once for each path: Spark computes a missing block as often as it is asked for, so that in GraphX,
  * where a generation reads the last one twice, it doubles with each generation. A block whose RDD
  * isn't persisted any more is folded into its readers, so only persisted blocks are kept.
  *
  * Not thread-safe.
  *
  * @param changed told of each block whose cost changed
  */
private[retain] final class Lineage[K](names: BlockNames[K], changed: Known[K] => Unit) {
  import Lineage._

  private val byRdd = mutable.LongMap.empty[mutable.HashMap[K, Known[K]]]
  private val sums = mutable.LongMap.empty[Sum]
  private var computations = 0L

  /** The blocks of an RDD that were computed and stored in memory. */
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

  /** The block was computed, from `reads`. A block that is computed again keeps what was seen first:
    * then, what it read was there to be seen.
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

  /** The block came to memory or disk, or left them. */
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

  /** None of the RDD's blocks will be kept again. */
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

  /** The same for blocks of different generations of one loop, once it goes round. */
  private def shape(known: Known[K], paths: Iterable[(Known[K], Double)]): Unit =
    for (depth <- known.shapes.indices)
      known.shapes(depth) = 1 + MurmurHash3.unorderedHash(
        paths.map { case (read, times) =>
          if (depth == 0) times else times -> read.shapes(depth - 1)
        }
      )

  private def connect(reader: Known[K], paths: Iterable[(Known[K], Double)]): Unit = {
    // The rest is taken for what it costs at worst: that it is there isn't followed.
    val (kept, rest) = paths.toSeq.splitAt(MaxReads)
    reader.reads = kept.map(_._1).toArray[Known[K]]
    reader.paths = kept.map(_._2).toArray
    reader.own = limited(reader.own + rest.map { case (read, times) => read.atWorst * times }.sum)
    kept.foreach(_._1.addReader(reader))
  }

  /** True if its cost changed. */
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

  /** Of some blocks: what computing them takes at worst, in nanoseconds, their bytes in memory, and how many
    * they are.
    */
  final case class Sum(atWorst: Double, bytes: Long, blocks: Long)

  /** How many blocks one change may touch. Those behind it keep an older cost. */
  val MaxSteps = 1000

  /** How many blocks are followed that one block reads. */
  val MaxReads = 64

  /** Far above any cost that makes a difference, and far below what a Double can hold. */
  val MaxCost = 1e150

  private def limited(cost: Double): Double = math.min(cost, MaxCost)
}
