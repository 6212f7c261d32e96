package org.apache.spark.examples.hpc

import java.util.SplittableRandom

/** What is done in a session with a notebook, cell by cell: always the same for the same seed. */
object NotebookScript {

  sealed trait Cell

  /** Asks a question of a data set, such as everyone's first look at it. */
  final case class Ask(dataset: Int, part: Int) extends Cell

  /** Caches a part of a data set under a new name, looks at it once, and never comes back. */
  final case class KeepPart(dataset: Int, part: Int) extends Cell

  /** Loads the next version of a data set in place of this one, which is unpersisted. */
  final case class Reload(dataset: Int) extends Cell

  /** Parts that a data set can be asked for. */
  val Parts = 10

  /** Of ten cells, one is kept and forgotten; of thirty, one is a data set loaded anew. Data set k
    * is come back to in proportion to 1 / (k + 1), as some are more interesting than others.
    */
  def cells(datasets: Int, count: Int, seed: Long): Seq[Cell] = {
    val random = new Draws(seed).of(0)
    val weights = (1 to datasets).scanLeft(0.0)((sum, k) => sum + 1.0 / k).tail
    def dataset(): Int = {
      val at = random.nextDouble() * weights.last
      weights.indexWhere(at < _)
    }
    for (number <- 1 to count) yield cell(number, dataset(), random)
  }

  private def cell(number: Int, dataset: Int, random: SplittableRandom): Cell = {
    val part = random.nextInt(Parts)
    if (number % 30 == 0) Reload(dataset)
    else if (number % 10 == 0) KeepPart(dataset, part)
    else Ask(dataset, part)
  }
}
