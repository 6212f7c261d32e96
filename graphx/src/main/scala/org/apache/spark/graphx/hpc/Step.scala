package org.apache.spark.graphx.hpc

/** What one iteration does with a row, besides the sparse product itself. A row's state is one number. */
private[hpc] trait Step extends Serializable {

  /** Each row's state before the first iteration. */
  def initial(block: SparseBlock): Array[Double]

  /** What each row sends along each of its edges. A row that sends 0 sends nothing. */
  def sent(block: SparseBlock, state: Array[Double]): Array[Double]

  /** Each row's next state. The implementation may change `sums` in place.
    *
    * @param sums what each row got; 0 if nothing
    */
  def next(block: SparseBlock, sums: Array[Double]): Array[Double]
}
