package org.apache.spark.examples.hpc

import java.util.Random

/** A tall matrix of low rank in which a few columns say all, each row from the seed and its number
  * alone.
  *
  * A row has `rank` independent normal values. The planted columns are these times three; all others
  * are mixtures of them which together weigh a ninth of that, and noise. So each planted column has
  * about nine tenths of one singular vector's weight, and the others share the rest.
  */
final class PlantedColumns(columns: Int, rank: Int, seed: Long) extends Serializable {
  import PlantedColumns._

  /** Numbers of the planted columns, one for each rank, spread over the width. */
  val planted: Seq[Int] = (0 until rank).map(k => (k * columns.toLong / rank).toInt)

  private val ofRows = new Draws(RmatGenerator.mix(seed + 1))
  private val mixtures = {
    val draws = new Draws(RmatGenerator.mix(seed + 2))
    val mixed = Array.tabulate(columns) { column =>
      val weights = normal(draws, column.toLong, rank)
      weights.map(_ / math.sqrt(weights.map(w => w * w).sum * columns / rank))
    }
    planted.zipWithIndex.foreach { case (column, k) =>
      mixed(column) = Array.fill(rank)(0.0).updated(k, Weight)
    }
    mixed
  }

  def row(number: Long): Array[Double] = {
    val values = normal(ofRows, number, rank + columns)
    Array.tabulate(columns) { column =>
      val mixture = mixtures(column)
      var sum = Noise / math.sqrt(columns.toDouble) * values(rank + column)
      var k = 0
      while (k < rank) {
        sum += mixture(k) * values(k)
        k += 1
      }
      sum
    }
  }

  private def normal(draws: Draws, number: Long, count: Int): Array[Double] = {
    val random = new Random(draws.of(number).nextLong())
    Array.fill(count)(random.nextGaussian())
  }
}

object PlantedColumns {
  private val Weight = 3.0

  /** The length of a row's noise. */
  val Noise = 0.01
}
