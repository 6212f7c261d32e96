package org.sparkhpc.retain

/** Tells which partition of which RDD a block is. */
trait BlockNames[K] {

  /** The RDD's id, or -1 if the block doesn't belong to an RDD. */
  def rdd(block: K): Int

  /** The partition's index in its RDD. */
  def partition(block: K): Int
}
