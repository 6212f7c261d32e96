package org.apache.spark.examples.hpc

import org.apache.hadoop.fs.Path

import org.apache.spark.SparkContext
import org.apache.spark.graphx.Edge
import org.apache.spark.rdd.RDD

/** A graph to work on, as an RDD and, without Spark's engine in between, as edges on the driver. */
trait TestGraph {

  /** With `partitions` 0, as many as there are by default. */
  def edges(sc: SparkContext, partitions: Int): RDD[Edge[Int]]

  /** The same edges, one by one. */
  def onDriver(sc: SparkContext): Iterator[(Long, Long)]
}

object TestGraph {

  /** R-MAT of Graph500: one large component, small ones and loose vertices, a few steps wide. */
  final case class RMat(scale: Int, edgeFactor: Int, seed: Long) extends Generated {
    override protected def count: Long = RmatOptions(scale, edgeFactor).edges
    private lazy val generator = new RmatGenerator(scale, seed)
    override protected def edge(index: Long): (Long, Long) = generator.edge(index)((_, _))
  }

  /** A square grid: one component, and as many steps wide as its sides are long. */
  final case class Grid(side: Int) extends Generated {
    override protected def count: Long = 2L * side * (side - 1)

    /** First all edges to the right, then all downwards. */
    override protected def edge(index: Long): (Long, Long) = {
      val across = side.toLong * (side - 1)
      if (index < across) {
        val source = index / (side - 1) * side + index % (side - 1)
        (source, source + 1)
      } else (index - across, index - across + side)
    }
  }

  /** Files in SNAP format. */
  final case class Files(path: String) extends TestGraph {

    override def edges(sc: SparkContext, partitions: Int): RDD[Edge[Int]] = {
      val bad = new BadLines(keep = 1)
      sc.register(bad, "bad lines of the edge list")
      val edges = EdgeList.read(sc, new Path(path), partitions, bad)
      if (edges.isEmpty()) throw Refusal.data(s"--input $path: no edges in it; the graph is empty")
      edges.foreach(_ => ())
      EdgeList.check(bad)
      edges
    }

    override def onDriver(sc: SparkContext): Iterator[(Long, Long)] =
      edges(sc, 0).toLocalIterator.map(edge => (edge.srcId, edge.dstId))
  }

  /** A graph whose edges can be computed from their numbers. */
  private[hpc] trait Generated extends TestGraph with Serializable {
    protected def count: Long
    protected def edge(index: Long): (Long, Long)

    override def edges(sc: SparkContext, partitions: Int): RDD[Edge[Int]] = {
      val slices = if (partitions > 0) partitions else sc.defaultParallelism
      sc.range(0, count, numSlices = slices).map { index =>
        val (source, target) = edge(index)
        Edge(source, target, 1)
      }
    }

    override def onDriver(sc: SparkContext): Iterator[(Long, Long)] =
      Iterator.iterate(0L)(_ + 1).takeWhile(_ < count).map(edge)
  }
}
