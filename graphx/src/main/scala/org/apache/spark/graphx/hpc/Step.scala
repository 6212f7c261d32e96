package org.apache.spark.graphx.hpc

/** What one iteration does with a row, besides the sparse product itself. A block's state is an array that begins with
  * the ranks, first all of the first row.
  */
private[hpc] trait Step extends Serializable {

  /** How many ranks a row has, and how many numbers it sends along each of its edges. */
  def width: Int

  /** What each row sends along each of its edges. A row that sends only 0 sends nothing. */
  def sent(block: SparseBlock, state: Array[Double]): Array[Double]

  /** What `next` needs of the state before, if anything. */
  def kept(block: SparseBlock, state: Array[Double]): Option[Array[Double]]

  /** The next state. The implementation may change both arrays in place.
    *
    * @param kept what was kept of the state before; null if nothing
    * @param sums what each row got; 0 if nothing
    */
  def next(block: SparseBlock, kept: Array[Double], sums: Array[Double]): Array[Double]

  def totals(block: SparseBlock, before: Array[Double], after: Array[Double]): Totals
}
