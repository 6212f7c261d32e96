package org.apache.spark.graphx.hpc

/** What one iteration does with a row, besides the sparse product itself. A block's state is an array that begins with
  * the rows' numbers, first all of the first row: in PageRank, their ranks.
  */
private[hpc] trait Step extends Serializable {

  /** How many numbers a row has, and how many it sends along each of its edges. */
  def width: Int

  def merge: Merge

  /** What each row sends along each of its edges. */
  def sent(block: SparseBlock, state: Array[Double]): Array[Double]

  /** What `next` needs of the state before, if anything. */
  def kept(block: SparseBlock, state: Array[Double]): Option[Array[Double]]

  /** The next state. The implementation may change both arrays in place.
    *
    * @param kept what was kept of the state before; null if nothing
    * @param got  what each row got, merged
    */
  def next(block: SparseBlock, kept: Array[Double], got: Array[Double]): Array[Double]

  def totals(block: SparseBlock, before: Array[Double], after: Array[Double]): Totals
}
