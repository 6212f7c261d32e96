package org.apache.spark.hpc.retain

/** Blocks for tests that need no Spark. */
object Blocks {
  final case class Block(rdd: Int, partition: Int)

  object Names extends BlockNames[Block] {
    override def rdd(block: Block): Int = block.rdd

    override def partition(block: Block): Int = block.partition
  }

  /** The blocks in memory, as a policy shows them. */
  def shown(policy: RetentionPolicy[Block]): Seq[Block] = {
    val all = Seq.newBuilder[Block]
    policy.walk { block =>
      all += block
      true
    }
    all.result()
  }
}
