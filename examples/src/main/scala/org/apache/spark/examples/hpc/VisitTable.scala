package org.apache.spark.examples.hpc

import java.sql.Date
import java.time.LocalDate
import java.util.SplittableRandom

/** The visits of the Big Data Benchmark, each computed from the seed and its number alone.
  *
  * Revenues are whole 64ths, so that sums of them are exact in a double, in whatever order.
  */
final class VisitTable(pages: Long, sources: Long, seed: Long) extends Serializable {
  import VisitTable._

  private val draws = new Draws(RmatGenerator.mix(seed + 2))
  private val addresses = new VertexScramble(32, RmatGenerator.mix(seed + 3))
  private val urls = new PageTable(seed)

  def visit(number: Long): Visit = withPage(number)._2

  /** A visit and the number of the page that it is to: this is the join of both tables. */
  def withPage(number: Long): (Long, Visit) = {
    val random = draws.of(number)
    val source = address(random.nextLong(sources))
    val page = random.nextLong(pages)
    val visit = Visit(
      source,
      urls.url(page),
      Date.valueOf(FirstDay.plusDays(random.nextInt(Days).toLong)),
      random.nextInt(MostRevenue * 64) / 64.0,
      pick(random, Agents),
      pick(random, Countries),
      pick(random, Languages),
      s"word${random.nextInt(5000)}",
      1 + random.nextInt(1000)
    )
    (page, visit)
  }

  private def address(source: Long): String = {
    val bits = addresses(source)
    s"${bits >>> 24 & 255}.${bits >>> 16 & 255}.${bits >>> 8 & 255}.${bits & 255}"
  }
}

object VisitTable {
  val MostSources: Long = 1L << 32
  private val FirstDay = LocalDate.of(1970, 1, 1)
  private val Days = 40 * 365
  private val MostRevenue = 1000

  private val Agents =
    Vector("Mozilla/5.0 (X11; Linux x86_64)", "Opera/9.80", "Lynx/2.8.9", "curl/7.88", "Wget/1.21")
  private val Countries = Vector("AUT", "BRA", "CHE", "DEU", "FRA", "IND", "JPN", "KEN", "USA")
  private val Languages = Vector("de-AT", "pt-BR", "de-CH", "fr-FR", "hi-IN", "ja-JP", "sw-KE")

  private def pick(random: SplittableRandom, values: Vector[String]): String =
    values(random.nextInt(values.size))
}

/** A row of the table uservisits. */
final case class Visit(
    sourceIP: String,
    destURL: String,
    visitDate: Date,
    adRevenue: Double,
    userAgent: String,
    countryCode: String,
    languageCode: String,
    searchWord: String,
    duration: Int
)
