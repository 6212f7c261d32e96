package org.apache.spark.graphx.hpc

import java.util.Arrays

import org.apache.spark.graphx.VertexId
import org.apache.spark.util.collection.OpenHashSet

/** A block before its routes are known, with the vertex ids of its columns. */
private[hpc] final class BlockRows(
    val vertices: Array[VertexId],
    val rows: Array[Int],
    val columns: Array[Int],
    val slices: Array[Int],
    columnIds: Array[VertexId],
    weights: Array[Double]
) extends Serializable {

  /** For each block that this one has edges to: the ids of the vertices in this block's slice for it, sorted. */
  def targets: Iterator[(Int, Array[VertexId])] =
    SparseBlock.cut(slices)(Arrays.copyOfRange(columnIds, _, _))

  /** @param senders the sorted ids in the slice of each block that sends to this one */
  def routed(blocks: Int, senders: Iterator[(Int, Array[VertexId])]): SparseBlock = {
    val routes = Array.fill(blocks)(BlockRows.NoRoute)
    senders.foreach { case (from, ids) => routes(from) = route(ids) }
    new SparseBlock(vertices, rows, columns, slices, routes, weights)
  }

  /** Both lists are sorted, so each step goes on from the row before. */
  private def route(ids: Array[VertexId]): Array[Int] = {
    val route = new Array[Int](ids.length)
    var row = 0
    var i = 0
    while (i < ids.length) {
      while (row < vertices.length && vertices(row) < ids(i)) row += 1
      if (row == vertices.length || vertices(row) != ids(i)) throw Unsuitable.edge(ids(i))
      route(i) = row
      i += 1
    }
    route
  }
}

private[hpc] object BlockRows {
  private val NoRoute = new Array[Int](0)

  /** @param vertices the ids of the block's vertices, in any order */
  def of(vertices: Array[VertexId], runs: Seq[EdgeRuns], groups: VertexGroups): BlockRows = {
    Arrays.sort(vertices)
    val rows = offsets(vertices, runs)
    val distinct = new OpenHashSet[VertexId]
    runs.foreach(run => addAll(run.destinations, distinct))
    val (columnIds, slices) = columnsOf(distinct, groups)
    val columnAt = new Array[Int](distinct.capacity)
    for (column <- columnIds.indices) columnAt(distinct.getPos(columnIds(column))) = column
    val columns = new Array[Int](rows(vertices.length))
    val next = rows.clone()
    for (run <- runs) {
      var edge = 0
      for (i <- run.sources.indices) {
        val row = Arrays.binarySearch(vertices, run.sources(i))
        val end = edge + run.lengths(i)
        while (edge < end) {
          columns(next(row)) = columnAt(distinct.getPos(run.destinations(edge)))
          next(row) += 1
          edge += 1
        }
      }
    }
    new BlockRows(vertices, rows, columns, slices, columnIds, weights(vertices, runs))
  }

  // No foreach here, which would box every id.
  private def addAll(ids: Array[VertexId], distinct: OpenHashSet[VertexId]): Unit = {
    var i = 0
    while (i < ids.length) {
      distinct.add(ids(i))
      i += 1
    }
  }

  private def offsets(vertices: Array[VertexId], runs: Seq[EdgeRuns]): Array[Int] = {
    val rows = new Array[Int](vertices.length + 1)
    for (run <- runs; i <- run.sources.indices) {
      val row = Arrays.binarySearch(vertices, run.sources(i))
      if (row < 0) throw Unsuitable.edge(run.sources(i))
      rows(row + 1) = Math.addExact(rows(row + 1), run.lengths(i))
    }
    for (row <- vertices.indices) rows(row + 1) = Math.addExact(rows(row + 1), rows(row))
    rows
  }

  /** The weight of each row's edges, if the runs have any. */
  private def weights(vertices: Array[VertexId], runs: Seq[EdgeRuns]): Array[Double] =
    if (runs.forall(_.weights == null)) null
    else {
      val weights = new Array[Double](vertices.length)
      val known = new Array[Boolean](vertices.length)
      for (run <- runs; i <- run.sources.indices) {
        val row = Arrays.binarySearch(vertices, run.sources(i))
        if (known(row) && weights(row) != run.weights(i))
          throw Unsuitable.weights(run.sources(i))
        weights(row) = run.weights(i)
        known(row) = true
      }
      weights
    }

  /** The distinct destinations by block and id, and where each block's begin. */
  private def columnsOf(
      distinct: OpenHashSet[VertexId],
      groups: VertexGroups
  ): (Array[VertexId], Array[Int]) = {
    val slices = new Array[Int](groups.blocks + 1)
    distinct.iterator.foreach(id => slices(groups.blockOf(id) + 1) += 1)
    for (block <- 0 until groups.blocks) slices(block + 1) += slices(block)
    val ids = new Array[VertexId](distinct.size)
    val next = slices.clone()
    distinct.iterator.foreach { id =>
      val block = groups.blockOf(id)
      ids(next(block)) = id
      next(block) += 1
    }
    for (block <- 0 until groups.blocks) Arrays.sort(ids, slices(block), slices(block + 1))
    (ids, slices)
  }
}
