package org.sparkhpc.retain

import java.util.{Comparator, LinkedHashMap, PriorityQueue}

import scala.collection.mutable

/** Evicts first the block that the fewest computations will still read, as far as the driver knows; among
  * several, the one that was used least recently.
  *
  * Y. Yu, W. Wang, J. Zhang, K. B. Letaief: LRC: Dependency-Aware Cache Management for Data Analytics Clusters,
  * INFOCOM 2017. The counts are those of whole RDDs, as of the last stage that began here. A block that belongs
  * to no RDD counts as read once.
  */
final class LeastReferenceCount[K](names: BlockNames[K]) extends SimplePolicy[K] {
  import LeastReferenceCount._

  // The blocks of each RDD in the order of use; the values are logical times of use.
  private val byRdd = mutable.LongMap.empty[LinkedHashMap[K, java.lang.Long]]
  private var pending = Map.empty[Int, Int]
  private var uses = 0L

  override def wantsReferences: Boolean = true

  override def stored(block: K, bytes: Long): Unit = synchronized {
    val rdd = names.rdd(block).toLong
    val blocks = byRdd.getOrElseUpdate(rdd, new LinkedHashMap[K, java.lang.Long](16, 0.75f, true))
    uses += 1
    blocks.put(block, uses): Unit
  }

  override def used(block: K): Unit = synchronized {
    for (blocks <- byRdd.get(names.rdd(block).toLong) if blocks.containsKey(block)) {
      uses += 1
      blocks.put(block, uses)
    }
  }

  override def left(block: K): Unit = synchronized {
    val rdd = names.rdd(block).toLong
    for (blocks <- byRdd.get(rdd)) {
      blocks.remove(block)
      if (blocks.isEmpty) byRdd.remove(rdd)
    }
  }

  override def end(): Unit = synchronized(byRdd.clear())

  override def referenced(pending: Map[Int, Int]): Unit = synchronized(this.pending = pending)

  override def walk(more: K => Boolean): Unit = synchronized {
    val heads = new PriorityQueue[Head[K]](
      Comparator.comparingInt[Head[K]](_.references).thenComparingLong(_.used)
    )
    for ((rdd, blocks) <- byRdd) {
      val references = if (rdd < 0) 1 else pending.getOrElse(rdd.toInt, 0)
      val head = new Head(references, blocks)
      if (head.advance()) heads.add(head)
    }
    var go = true
    while (go && !heads.isEmpty) {
      val head = heads.poll()
      go = more(head.block)
      if (head.advance()) heads.add(head)
    }
  }
}

private object LeastReferenceCount {

  /** The first block of an RDD that `walk` hasn't shown yet. */
  private final class Head[K](val references: Int, blocks: LinkedHashMap[K, java.lang.Long]) {
    private val rest = blocks.entrySet.iterator
    var block: K = _
    var used = 0L

    def advance(): Boolean = rest.hasNext && {
      val next = rest.next()
      block = next.getKey
      used = next.getValue
      true
    }
  }
}
