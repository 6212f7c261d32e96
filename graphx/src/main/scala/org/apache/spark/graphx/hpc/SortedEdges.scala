package org.apache.spark.graphx.hpc

import org.apache.spark.graphx.VertexId
import org.apache.spark.graphx.impl.EdgePartition
import org.apache.spark.graphx.util.collection.GraphXPrimitiveKeyOpenHashMap
import org.apache.spark.unsafe.array.LongArray
import org.apache.spark.unsafe.memory.MemoryBlock
import org.apache.spark.util.collection.PrimitiveVector
import org.apache.spark.util.collection.unsafe.sort.RadixSort

/** GraphX's edge partition of edges with the attribute 1, as GraphX's own builder makes it, without an object for each
  * edge: sorted by source, then by destination. While it is made, an edge takes 32 bytes besides.
  */
private[spark] object SortedEdges {

  /** @param lists the ids of sources and destinations in turn */
  def of(lists: Array[Array[VertexId]]): EdgePartition[Int, Int] = {
    val sorted = sort(lists)
    val number = sorted.length / 2
    val (sources, destinations) = (new Array[Int](number), new Array[Int](number))
    val ids = new LocalIds
    val clusters = new GraphXPrimitiveKeyOpenHashMap[VertexId, Int]
    var edge = 0
    while (edge < number) {
      val source = sorted(2 * edge)
      if (edge > 0 && source == sorted(2 * edge - 2)) sources(edge) = sources(edge - 1)
      else {
        sources(edge) = ids.of(source)
        clusters.update(source, edge)
      }
      destinations(edge) = ids.of(sorted(2 * edge + 1))
      edge += 1
    }
    val all = ids.all
    new EdgePartition[Int, Int](
      sources,
      destinations,
      Array.fill(number)(1),
      clusters,
      ids.places,
      all,
      new Array[Int](all.length),
      None
    )
  }

  /** The edges by source and destination. Radix sort is stable, so it sorts by destination first. */
  private def sort(lists: Array[Array[VertexId]]): Array[VertexId] = {
    val length = lists.map(_.length.toLong).sum
    // Sorting needs as much room again.
    val pairs = new Array[Long](Math.toIntExact(2 * length))
    var at = 0
    for (list <- lists) {
      System.arraycopy(list, 0, pairs, at, list.length)
      at += list.length
    }
    sortBySecond(pairs, at)
    sortBySecond(pairs, at)
    java.util.Arrays.copyOf(pairs, at)
  }

  /** Sorts the pairs of the array's first half by their second numbers, and swaps the numbers of each. */
  private def sortBySecond(pairs: Array[Long], length: Int): Unit = {
    val array = new LongArray(MemoryBlock.fromLongArray(pairs))
    val start = RadixSort.sortKeyPrefixArray(array, 0, length / 2, 0, 7, false, true)
    var at = 0
    while (at < length) {
      val first = pairs(start + at)
      pairs(at) = pairs(start + at + 1)
      pairs(at + 1) = first
      at += 2
    }
  }

  /** Numbers vertices in the order in which they are seen. */
  private final class LocalIds {
    val places = new GraphXPrimitiveKeyOpenHashMap[VertexId, Int]
    private val seen = new PrimitiveVector[VertexId]

    def of(id: VertexId): Int = {
      val next = seen.size
      val place = places.changeValue(id, next, (known: Int) => known)
      if (place == next) seen += id
      place
    }

    def all: Array[VertexId] = seen.trim().array
  }
}
