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
  *
  * @param rows    where the columns of a row begin in `columns`; the last element is the number of edges
  * @param slices  where the columns for each block begin; the last element is the number of columns
  * @param routes  for each block that sends to this one, the rows of the values in its slice
  */
private[hpc] final class SparseBlock(
    val vertices: Array[VertexId],
    val rows: Array[Int],
    val columns: Array[Int],
    val slices: Array[Int],
    val routes: Array[Array[Int]]
) extends Serializable {

  def size: Int = vertices.length

  /** The number of edges out of a row, parallel ones included. */
  def degree(row: Int): Int = rows(row + 1) - rows(row)

  /** Sends each row's value along all of its edges, and adds up what arrives at each column.
    *
    * @return a slice for each block that has a column here
    */
  def push(value: Array[Double]): Iterator[(Int, Array[Double])] = {
    val sums = new Array[Double](slices(slices.length - 1))
    var row = 0
    var edge = 0
    while (row < value.length) {
      val end = rows(row + 1)
      val sent = value(row)
      if (sent == 0.0) edge = end
      while (edge < end) {
        sums(columns(edge)) += sent
        edge += 1
      }
      row += 1
    }
    SparseBlock.cut(slices)(java.util.Arrays.copyOfRange(sums, _, _))
  }

  /** Adds up what each row gets from all blocks. The order of the additions doesn't depend on the order of arrival, so
    * the sums are the same in each run.
    *
    * @param arriving the slices of other blocks, each with the number of the block that sent it
    */
  def gather(arriving: Iterator[(Int, Array[Double])]): Array[Double] = {
    val slice = new Array[Array[Double]](routes.length)
    arriving.foreach { case (from, values) => slice(from) = values }
    val sums = new Array[Double](size)
    var from = 0
    while (from < routes.length) {
      val route = routes(from)
      if (route.length > 0) add(slice(from), route, sums)
      slice(from) = null
      from += 1
    }
    sums
  }

  private def add(values: Array[Double], route: Array[Int], sums: Array[Double]): Unit = {
    var i = 0
    while (i < route.length) {
      sums(route(i)) += values(i)
      i += 1
    }
  }
}

private[hpc] object SparseBlock {

  /** A slice of the columns for each block that has any. `slice` gets where it begins and where it ends. */
  def cut[T](slices: Array[Int])(slice: (Int, Int) => T): Iterator[(Int, T)] =
    Iterator.range(0, slices.length - 1).filter(to => slices(to) < slices(to + 1))
      .map(to => to -> slice(slices(to), slices(to + 1)))
}
