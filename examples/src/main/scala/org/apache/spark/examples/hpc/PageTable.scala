package org.apache.spark.examples.hpc

/** The pages of the Big Data Benchmark, each computed from the seed and its number alone. */
final class PageTable(seed: Long) extends Serializable {
  private val draws = new Draws(RmatGenerator.mix(seed + 1))

  /** Ranks fall off as Zipf's law says: half of the pages have rank 1, a third of the rest 2. */
  def page(number: Long): Page = {
    val random = draws.of(number)
    val rank = math.min(1 / (1 - random.nextDouble()), PageTable.MostRank.toDouble).toInt
    Page(url(number), rank, 1 + random.nextInt(100))
  }

  /** Text of about 50 characters that no other page has. */
  def url(number: Long): String = {
    val path = java.lang.Long.toString(draws.of(number).nextLong() & Long.MaxValue, 36)
    s"http://www.example.org/$path/page-$number.html"
  }
}

object PageTable {
  val MostRank = 1000000
}

/** A row of the table rankings. */
final case class Page(pageURL: String, pageRank: Int, avgDuration: Int)
