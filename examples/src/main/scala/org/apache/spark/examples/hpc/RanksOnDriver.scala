package org.apache.spark.examples.hpc

import scala.collection.mutable

/** What [[RankLoop]] must find, from the edges in arrays and maps, without Spark. */
object RanksOnDriver {

  def apply(edges: Iterator[(Long, Long)], iterations: Int): collection.Map[Long, Double] = {
    val targets = mutable.LongMap.empty[mutable.ArrayBuffer[Long]]
    edges.foreach { case (source, target) =>
      targets.getOrElseUpdate(source, mutable.ArrayBuffer.empty) += target
    }
    var ranks = targets.mapValuesNow(_ => 1.0)
    for (_ <- 1 to iterations) {
      val received = mutable.LongMap.empty[Double]
      for ((source, rank) <- ranks; to <- targets.get(source); target <- to)
        received(target) = received.getOrElse(target, 0.0) + rank / to.length
      ranks = received.mapValuesNow(rank)
    }
    ranks
  }

  /** Of what a vertex receives from those that lead to it. */
  def rank(received: Double): Double = 0.15 + 0.85 * received
}
