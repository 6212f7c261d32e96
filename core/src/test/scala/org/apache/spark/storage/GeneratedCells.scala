package org.apache.spark.storage

import java.util.concurrent.{ConcurrentHashMap, TimeUnit}

import org.apache.spark.{HashPartitioner, SparkContext, TaskContext}
import org.apache.spark.hpc.elements.{Elements, Shape}
import org.apache.spark.rdd.RDD
import org.apache.spark.storage.GeneratedCaches._

/** The elements of a generated program's RDDs: as RDDs, and evaluated without Spark. */
private[storage] object GeneratedCells {

  /** An element; what it has of the one that it was made from is the same object. */
  final case class Cell(value: Any, before: Any, ballast: Array[Byte])

  type Rows = Iterator[Cell]

  /** What a program sees of an element. */
  def shape(cell: Cell): Int = Shape.of(cell).hashCode

  def rdd(
      sc: SparkContext,
      program: Int,
      index: Int,
      node: Node,
      before: Seq[RDD[Cell]]
  ): RDD[Cell] = {
    val parents = node.of.map(before)
    val faulty = new Faulty(program, index, node.nanos)
    node.kind match {
      case "source" =>
        sc.parallelize(0 until node.partitions, node.partitions)
          .flatMap(part => faulty(part, source(node, part)))
      case "mapped" =>
        parents.head.mapPartitionsWithIndex((part, rows) =>
          faulty(part, mapped(node, part, rows))
        )
      case "zipped" =>
        parents.head.zipPartitions(parents(1)) { (one, other) =>
          faulty(TaskContext.getPartitionId(), zipped(node, one, other))
        }
      case "shuffled" =>
        parents.head.map(cell => (shape(cell), 0)).partitionBy(new HashPartitioner(node.partitions))
          .mapPartitions { rows =>
            faulty(TaskContext.getPartitionId(), shuffled(node, rows.map(_._1)))
          }
    }
  }

  /** By partition. */
  def evaluated(node: Node, before: Seq[Seq[Seq[Cell]]]): Seq[Seq[Cell]] = {
    val parents = node.of.map(before)
    (0 until node.partitions).map { part =>
      val rows = node.kind match {
        case "source" => source(node, part)
        case "mapped" => mapped(node, part, parents.head(part).iterator)
        case "zipped" => zipped(node, parents.head(part).iterator, parents(1)(part).iterator)
        case "shuffled" =>
          val partitioner = new HashPartitioner(node.partitions)
          val all = parents.head.flatten.map(shape)
          shuffled(node, all.iterator.filter(partitioner.getPartition(_) == part))
      }
      rows.toList
    }
  }

  private def value(node: Node, place: Long): Any =
    new Elements(node.lossy.getOrElse(0), plain = node.lossy.isEmpty)
      .of(new scala.util.Random(node.seed + place).nextLong(), depth = 2)

  private def cell(node: Node, place: Long, before: Any): Cell =
    Cell(value(node, place), before, Array.fill(node.bytes)(place.toByte))

  private def source(node: Node, part: Int): Rows =
    Iterator.tabulate(node.each)(i => cell(node, part * 1000L + i, null))

  private def mapped(node: Node, part: Int, rows: Rows): Rows =
    rows.zipWithIndex.map { case (row, i) => cell(node, part * 1000L + i, row.value) }

  private def zipped(node: Node, one: Rows, other: Rows): Rows =
    // Whether the elements of two RDDs share objects isn't determined, nor is it in stock Spark.
    one.map(shape).zipAll(other.map(shape), 0, 0).map { case (one, other) =>
      Cell(one, other, new Array[Byte](node.bytes))
    }

  private def shuffled(node: Node, shapes: Iterator[Int]): Rows =
    shapes.toList.sorted.take(node.each).iterator.map(shape => cell(node, shape.toLong, null))

  private val faults = ConcurrentHashMap.newKeySet[(Int, Int, Int)]

  def fail(program: Int, index: Int, partition: Int): Unit =
    faults.add((program, index, partition)): Unit

  /** What takes its time to compute a partition, and fails if it is to. */
  private final class Faulty(program: Int, index: Int, nanos: Long) extends Serializable {
    def apply(partition: Int, rows: => Rows): Rows = {
      // Dear to compute, so that it is worth a write.
      if (nanos > 0) TimeUnit.NANOSECONDS.sleep(nanos)
      val isFaulty = faults.remove((program, index, partition))
      rows.zipWithIndex.map { case (row, i) =>
        if (isFaulty && i == 1) throw new IllegalStateException("a task's own failure")
        row
      }
    }
  }
}
