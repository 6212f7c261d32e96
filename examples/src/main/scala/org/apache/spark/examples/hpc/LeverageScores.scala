package org.apache.spark.examples.hpc

import breeze.linalg.{qr, svd, DenseMatrix}

import org.apache.spark.rdd.RDD

/** How much each column of a tall matrix weighs in its leading right singular vectors, by the
  * randomised power iteration: the matrix is read once in each step, and never shuffled.
  *
  * The matrix is given as blocks of rows.
  */
final class LeverageScores(blocks: RDD[DenseMatrix[Double]], columns: Int, rank: Int) {

  /** One step: the Gramian matrix times `basis`, orthonormal again. */
  def step(basis: DenseMatrix[Double]): DenseMatrix[Double] =
    qr.reduced.justQ(times(basis))

  /** The scores of all columns, which add up to the rank. */
  def scores(basis: DenseMatrix[Double]): Array[Double] = {
    // Within the basis, the leading directions are those of the small matrix B' (A'A) B.
    val inBasis = basis.t * times(basis)
    val leading = basis * svd(inBasis).leftVectors(::, 0 until rank)
    Array.tabulate(columns) { column =>
      (0 until rank).map(k => leading(column, k) * leading(column, k)).sum
    }
  }

  private def times(basis: DenseMatrix[Double]): DenseMatrix[Double] =
    blocks.map(block => block.t * (block * basis)).treeReduce(_ + _)
}
