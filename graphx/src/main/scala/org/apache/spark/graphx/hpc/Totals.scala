package org.apache.spark.graphx.hpc

/** What an iteration's job says of the states of all rows.
  *
  * @param sums     the sums of the ranks; for each of several ranks of a row, its own
  * @param change   the sum of the ranks' changes
  * @param senders  the rows that have something to send in the next iteration
  */
private[hpc] final case class Totals(
    rows: Long,
    sums: Vector[Double],
    change: Double,
    senders: Long
) {
  def +(other: Totals): Totals =
    Totals(
      rows + other.rows,
      sums.zipAll(other.sums, 0.0, 0.0).map { case (one, another) => one + another },
      change + other.change,
      senders + other.senders
    )
}
