package org.apache.spark.examples.hpc

import java.util.Random

/** Points around known centres, each point from the seed and its own number alone.
  *
  * Centres stand on a grid a thousand standard deviations wide; point i belongs to centre i modulo
  * their number, and is off it by a normal deviation of 1 in each dimension.
  */
final class PlantedClusters(clusters: Int, dimensions: Int, seed: Long) extends Serializable {
  import PlantedClusters._

  private val draws = new Draws(seed)

  /** As many places in each dimension as are needed for all centres. */
  private val places =
    Iterator.from(2).find(n => math.pow(n.toDouble, dimensions.toDouble) >= clusters).get

  def centre(number: Int): Array[Double] = {
    val coordinates = new Array[Double](dimensions)
    var left = number
    for (dimension <- 0 until dimensions) {
      coordinates(dimension) = Spacing * (left % places)
      left /= places
    }
    coordinates
  }

  def point(number: Long): Array[Double] = {
    val random = new Random(draws.of(number).nextLong())
    centre((number % clusters).toInt).map(_ + random.nextGaussian())
  }
}

object PlantedClusters {
  private val Spacing = 1000.0
}
