package org.apache.spark.examples.hpc

import org.apache.spark.mllib.recommendation.Rating

/** Ratings of items by users as products of known factors, each from the seed and its number alone.
  *
  * Rating n is the (n / users)th one of user n modulo `users`; a user rates each item once at most.
  */
final class PlantedRatings(users: Int, items: Int, rank: Int, seed: Long) extends Serializable {
  private val ofUsers = new Draws(RmatGenerator.mix(seed + 1))
  private val ofItems = new Draws(RmatGenerator.mix(seed + 2))
  private val starts = new Draws(RmatGenerator.mix(seed + 3))

  /** Far apart, so that any two items soon have raters in common, and through all items in turn. */
  private val step =
    Iterator.from((items * 0.618).toInt + 1).find(BigInt(items).gcd(_) == BigInt(1)).get

  def rating(number: Long): Rating = {
    val user = (number % users).toInt
    val item = ((starts.of(user.toLong).nextInt(items) + number / users * step) % items).toInt
    Rating(user, item, value(user, item))
  }

  def value(user: Int, item: Int): Double =
    factors(ofUsers, user).zip(factors(ofItems, item)).map { case (u, i) => u * i }.sum

  /** From -1 to 1, so that ratings are 0 on average and their variance is rank / 9. */
  private def factors(draws: Draws, number: Int): Array[Double] = {
    val random = draws.of(number.toLong)
    Array.fill(rank)(2 * random.nextDouble() - 1)
  }
}
