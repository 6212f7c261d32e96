package org.apache.spark.hpc.retain

/** Blocks for tests that need no Spark. */
object Blocks {
  final case class Block(rdd: Int, partition: Int)

  object Names extends BlockNames[Block] {
    override def rdd(block: Block): Int = block.rdd

    override def partition(block: Block): Int = block.partition
  }
}
