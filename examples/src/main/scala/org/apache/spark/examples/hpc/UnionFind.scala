package org.apache.spark.examples.hpc

import scala.collection.mutable

/** The connected components of edges that come one by one, each known by its least vertex. */
final class UnionFind {
  private val parents = mutable.LongMap.empty[Long]

  def join(source: Long, target: Long): Unit = {
    val (one, other) = (component(source), component(target))
    if (one != other) parents(math.max(one, other)) = math.min(one, other)
  }

  /** The component of a vertex; one that wasn't seen yet is its own. */
  def component(vertex: Long): Long = {
    var at = vertex
    var parent = parents.getOrElseUpdate(at, at)
    while (parent != at) {
      // Halves the path, which keeps paths short though roots are chosen by number.
      val above = parents(parent)
      parents(at) = above
      at = above
      parent = parents(at)
    }
    at
  }

  /** All vertices with their components. */
  def components: Iterator[(Long, Long)] =
    parents.keys.toVector.iterator.map(vertex => (vertex, component(vertex)))
}
