package org.apache.spark.graphx.hpc

import org.apache.spark.graphx.VertexId

/** The out-edges of some of a graph's vertices, in compressed sparse rows: one block of the matrix of a sparse product.
  *
  * A vertex's ''row'' is its place in `vertices`, which are sorted, so a block that is made again has the same rows. Of
  * an edge, the block keeps only its ''column'': the place of its destination among all destinations of this block.
  * Columns are in the order of the block that has the destination as a row, then of the vertex id. A partial sum of each
  * column therefore leaves this block as one slice for each other block, without any vertex ids. The receiver knows by
  * `routes` which rows the values are for.
  *
  * A block takes 4 bytes for an edge, 12 for a vertex, and 4 for each destination of each block that has edges to it.
  * Weights take 8 more for a vertex.
  *
  * @param rows    where the columns of a row begin in `columns`; the last element is the number of edges
  * @param slices  where the columns for each block begin; the last element is the number of columns
  * @param routes  for each block that sends to this one, the rows of the values in its slice
  * @param weights of all edges of each row; null if it is 1 / degree
  */
private[hpc] final class SparseBlock(
    val vertices: Array[VertexId],
    val rows: Array[Int],
    val columns: Array[Int],
    val slices: Array[Int],
    val routes: Array[Array[Int]],
    weights: Array[Double]
) extends Serializable {

  def size: Int = vertices.length

  /** The number of edges out of a row, parallel ones included. */
  def degree(row: Int): Int = rows(row + 1) - rows(row)

  /** The weight of each edge out of a row that has any. */
  def weight(row: Int): Double = if (weights == null) 1.0 / degree(row) else weights(row)

  /** The row of a vertex, negative if it is in another block. */
  def row(vertex: VertexId): Int = java.util.Arrays.binarySearch(vertices, vertex)

  def rowOf(vertex: VertexId): Option[Int] = Some(row(vertex)).filter(_ >= 0)

  /** Sends each row's values along all of its edges, and merges what arrives at each column.
    *
    * @param from  this block's number
    * @param width the number of values for each row
    * @return a slice for each block that has a column here
    */
  def push(from: Int, value: Array[Double], width: Int, merge: Merge): Iterator[(Int, Slice)] = {
    val all = filled(slices(slices.length - 1), width, merge)
    if (width == 1) pushOne(value, merge, all) else pushSeveral(value, width, merge, all)
    SparseBlock.cut(slices)((start, end) =>
      Slice.of(from, all, start * width, end * width, merge.nothing)
    )
  }

  private def filled(number: Int, width: Int, merge: Merge): Array[Double] = {
    val all = new Array[Double](Math.multiplyExact(number, width))
    if (merge.nothing != 0.0) java.util.Arrays.fill(all, merge.nothing)
    all
  }

  private def pushOne(value: Array[Double], merge: Merge, all: Array[Double]): Unit = {
    var row = 0
    var edge = 0
    while (row < size) {
      val end = rows(row + 1)
      val sent = value(row)
      if (sent == merge.nothing) edge = end
      while (edge < end) {
        val column = columns(edge)
        all(column) = merge(all(column), sent)
        edge += 1
      }
      row += 1
    }
  }

  private def pushSeveral(
      value: Array[Double],
      width: Int,
      merge: Merge,
      all: Array[Double]
  ): Unit =
    for (row <- vertices.indices) {
      val first = row * width
      if ((first until first + width).exists(value(_) != merge.nothing)) {
        var edge = rows(row)
        while (edge < rows(row + 1)) {
          val column = columns(edge) * width
          var i = 0
          while (i < width) {
            all(column + i) = merge(all(column + i), value(first + i))
            i += 1
          }
          edge += 1
        }
      }
    }

  /** Merges what each row gets from all blocks. The order of the merges doesn't depend on the order of arrival, so sums
    * are the same in each run.
    */
  def gather(arriving: Iterator[Slice], width: Int, merge: Merge): Array[Double] = {
    val slices = new Array[Slice](routes.length)
    arriving.foreach(slice => slices(slice.from) = slice)
    val all = filled(size, width, merge)
    for (from <- routes.indices if routes(from).length > 0)
      slices(from).mergeInto(all, routes(from), width, merge)
    all
  }
}

private[hpc] object SparseBlock {

  /** A slice of the columns for each block that has any. `slice` gets where it begins and where it ends. */
  def cut[T](slices: Array[Int])(slice: (Int, Int) => T): Iterator[(Int, T)] =
    Iterator.range(0, slices.length - 1).filter(to => slices(to) < slices(to + 1))
      .map(to => to -> slice(slices(to), slices(to + 1)))
}
