package org.apache.spark.examples.hpc

import scala.collection.mutable

/** The shortest paths from the least vertex along edges that come one by one and go both ways.
  *
  * E. W. Dijkstra, "A note on two problems in connexion with graphs", 1959.
  */
final class Dijkstra {
  import Dijkstra._

  private val neighbours = mutable.LongMap.empty[mutable.ArrayBuffer[Long]]

  def join(one: Long, other: Long): Unit = {
    of(one) += other
    of(other) += one
  }

  /** All vertices with their distances. */
  def distances: Iterator[(Long, Long)] = {
    val found = mutable.LongMap.empty[Long]
    if (neighbours.nonEmpty) {
      val source = neighbours.keysIterator.min
      val nearest = mutable.PriorityQueue((0L, source))(Ordering.by(entry => -entry._1))
      while (nearest.nonEmpty) {
        val (distance, vertex) = nearest.dequeue()
        // A vertex stands in the queue once for each better offer; the first one out is the best.
        if (!found.contains(vertex)) {
          found(vertex) = distance
          for (next <- neighbours(vertex) if !found.contains(next))
            nearest.enqueue((distance + length(vertex, next), next))
        }
      }
    }
    neighbours.keysIterator.map(vertex => (vertex, found.getOrElse(vertex, Unreached)))
  }

  private def of(vertex: Long): mutable.ArrayBuffer[Long] =
    neighbours.getOrElseUpdate(vertex, mutable.ArrayBuffer.empty)
}

object Dijkstra {

  /** More than any path's length, and far enough from the largest number to add an edge to it. */
  val Unreached: Long = Long.MaxValue / 2

  /** Of the edge between two vertices, from 1 to 16, whichever comes first. */
  def length(one: Long, other: Long): Long =
    1 + (RmatGenerator.mix(Checksum.hash(math.min(one, other), math.max(one, other))) & 15)
}
