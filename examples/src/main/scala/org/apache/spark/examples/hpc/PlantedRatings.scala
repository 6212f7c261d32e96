package org.apache.spark.examples.hpc

import org.apache.spark.mllib.recommendation.Rating

/** Ratings of items by users as products of known factors, each from the seed and its number alone.
  *
  * Rating n is the (n / users)th one of user n modulo `users`; a user rates each item once at most.
  */
final class PlantedRatings(users: Int, items: Int, rank: Int, seed: Long) extends Serializable {
  private val ofUsers = new Draws(RmatGenerator.mix(seed + 1))
  private val ofItems = new Draws(RmatGenerator.mix(seed + 2))
  private val itemsOfUsers = new Draws(RmatGenerator.mix(seed + 3))

  /** Each user has an own step through all items: with one for all, users' items would be windows
    * on one row of items, and least squares would take very many steps to get along it.
    */
  def rating(number: Long): Rating = {
    val user = (number % users).toInt
    val random = itemsOfUsers.of(user.toLong)
    val start = random.nextInt(items)
    val step = Iterator.continually(1 + random.nextInt(items)).find(coprime).get
    val item = ((start + number / users * step) % items).toInt
    Rating(user, item, value(user, item))
  }

  private def coprime(step: Int): Boolean = BigInt(items).gcd(step) == BigInt(1)

  def value(user: Int, item: Int): Double =
    factors(ofUsers, user).zip(factors(ofItems, item)).map { case (u, i) => u * i }.sum

  /** From -1 to 1, so that ratings are 0 on average and their variance is rank / 9. */
  private def factors(draws: Draws, number: Int): Array[Double] = {
    val random = draws.of(number.toLong)
    Array.fill(rank)(2 * random.nextDouble() - 1)
  }
}
