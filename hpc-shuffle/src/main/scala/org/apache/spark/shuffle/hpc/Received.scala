package org.apache.spark.shuffle.hpc

import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.util.collection.OpenHashSet

/** The map tasks whose outputs decommissioned executors have sent to this executor, by shuffle. */
private[hpc] final class Received {
  val byShuffle = new ConcurrentHashMap[Int, OpenHashSet[Long]]

  def remove(shuffle: Int)(delete: Long => Unit): Unit =
    Option(byShuffle.remove(shuffle)).foreach(_.iterator.foreach(delete))
}
