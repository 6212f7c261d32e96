package org.apache.spark.shuffle.hpc

import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.util.collection.OpenHashSet

/** The map tasks whose outputs decommissioned executors sent here, by shuffle. */
private[hpc] final class Received {
  val byShuffle = new ConcurrentHashMap[Int, OpenHashSet[Long]]

  def remove(shuffle: Int)(delete: Long => Unit): Unit =
    Option(byShuffle.remove(shuffle)).foreach(_.iterator.foreach(delete))
}
