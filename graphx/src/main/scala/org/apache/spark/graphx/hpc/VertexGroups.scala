package org.apache.spark.graphx.hpc

import scala.reflect.ClassTag

import org.apache.spark.{NarrowDependency, Partition, Partitioner, TaskContext}
import org.apache.spark.graphx.VertexId
import org.apache.spark.rdd.{PartitionCoalescer, PartitionGroup, RDD}

/** Which block has a vertex: block `b` of `n` has the vertex partitions `b`, `b + n`, `b + 2n` and so on. The graph's own
  * partitions stay as they are, but an iteration needs only as many tasks as there are blocks.
  *
  * @param ofVertices the partitioner of the graph's vertices
  */
private[hpc] final class VertexGroups(ofVertices: Partitioner, val blocks: Int)
    extends Serializable {
  val partitions: Int = ofVertices.numPartitions

  def blockOf(vertex: VertexId): Int = ofVertices.getPartition(vertex) % blocks

  /** Partition `b` of the result has the elements of all partitions of block `b`. */
  def gathered[T](ofPartitions: RDD[T]): RDD[T] =
    ofPartitions.coalesce(blocks, shuffle = false, Some(VertexGroups.ByBlock))(null)

  /** Each partition of the result has the elements of its block. */
  def spread[T: ClassTag](ofBlocks: RDD[T]): RDD[T] =
    new VertexGroups.Spread(ofBlocks, partitions, blocks)
}

private[hpc] object VertexGroups {

  private object ByBlock extends PartitionCoalescer with Serializable {
    override def coalesce(blocks: Int, parent: RDD[_]): Array[PartitionGroup] = {
      val groups = Array.fill(blocks)(new PartitionGroup())
      parent.partitions.foreach(partition =>
        groups(partition.index % blocks).partitions += partition
      )
      groups
    }
  }

  private final class Spread[T: ClassTag](ofBlocks: RDD[T], number: Int, blocks: Int)
      extends RDD[T](
        ofBlocks.context,
        Seq(new NarrowDependency(ofBlocks) {
          override def getParents(partition: Int): Seq[Int] = Seq(partition % blocks)
        })
      ) {
    override protected def getPartitions: Array[Partition] =
      Array.tabulate(number)(i => new Part(i, firstParent[T].partitions(i % blocks)))

    override def compute(split: Partition, context: TaskContext): Iterator[T] =
      firstParent[T].iterator(split.asInstanceOf[Part].block, context)
  }

  private final class Part(override val index: Int, val block: Partition) extends Partition
}
