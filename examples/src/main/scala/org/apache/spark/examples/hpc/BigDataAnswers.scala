package org.apache.spark.examples.hpc

import java.sql.Date

import scala.collection.mutable

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD

/** What the queries of the Big Data Benchmark must answer, from the generator alone: no file is
  * read, and nothing is shuffled or joined.
  *
  * The groups of the second and third query are held in the driver's memory.
  */
final class BigDataAnswers(sc: SparkContext, data: BigDataSet) {
  import BigDataAnswers._

  def q1(rank: Int): Checksum = {
    val pages = data.pageTable
    Checksum.of(
      sc.range(0, data.pages).map(pages.page).filter(_.pageRank > rank)
        .map(page => hash1(page.pageURL, page.pageRank))
    )
  }

  def q2(prefix: Int): Checksum = {
    val visits = data.visitTable
    val revenues = sc.range(0, data.visits).map(visits.visit)
      .map(visit => (visit.sourceIP.take(prefix), (visit.adRevenue, 0L, 0L)))
    Checksum.of(sums(revenues).iterator.map { case (key, (revenue, _, _)) => hash2(key, revenue) })
  }

  def q3(until: Date): Checksum = {
    val (pages, visits) = (data.pageTable, data.visitTable)
    val joined = sc.range(0, data.visits).map(visits.withPage)
      .filter { case (_, visit) => !visit.visitDate.before(FirstDate) }
      .filter { case (_, visit) => !visit.visitDate.after(until) }
      .map { case (page, visit) =>
        (visit.sourceIP, (visit.adRevenue, pages.page(page).pageRank.toLong, 1L))
      }
    Checksum.of(sums(joined).iterator.map { case (source, (revenue, ranks, count)) =>
      hash3(source, revenue, ranks.toDouble / count)
    })
  }
}

object BigDataAnswers {
  private type Sums = (Double, Long, Long)

  /** The third query's range begins here in all its variants. */
  val FirstDate: Date = Date.valueOf("1980-01-01")

  def hash1(url: String, rank: Int): Long = Checksum.hash(Checksum.hash(url), rank.toLong)

  def hash2(prefix: String, revenue: Double): Long =
    Checksum.hash(Checksum.hash(prefix), java.lang.Double.doubleToLongBits(revenue))

  def hash3(source: String, revenue: Double, rank: Double): Long =
    Checksum.hash(hash2(source, revenue), java.lang.Double.doubleToLongBits(rank))

  private def sums(rows: RDD[(String, Sums)]): mutable.HashMap[String, Sums] =
    rows.aggregate(mutable.HashMap.empty[String, Sums])(
      add,
      (one, other) => other.foldLeft(one)(add)
    )

  private def add(
      sums: mutable.HashMap[String, Sums],
      row: (String, Sums)
  ): mutable.HashMap[String, Sums] = {
    val (key, (revenue, ranks, count)) = row
    val (revenues, allRanks, allCounts) = sums.getOrElse(key, (0.0, 0L, 0L))
    sums += key -> ((revenues + revenue, allRanks + ranks, allCounts + count))
  }
}
