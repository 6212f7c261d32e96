package org.sparkhpc.retain

/** What blocks are blocks of. */
trait BlockNames[K] {

  /** The RDD's number, or -1 if the block is none of an RDD. */
  def rdd(block: K): Int

  /** The partition's number in its RDD. */
  def partition(block: K): Int
}
