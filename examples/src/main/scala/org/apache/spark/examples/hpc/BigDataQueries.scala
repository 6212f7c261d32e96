package org.apache.spark.examples.hpc

import java.sql.Date

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.{DataFrame, SparkSession}

/** The Big Data Benchmark's three queries as SQL on one directory's tables. */
final class BigDataQueries(spark: SparkSession, input: Path) {
  import spark.implicits._

  spark.read.parquet(BigDataSet.rankings(input)).createOrReplaceTempView("rankings")
  spark.read.parquet(BigDataSet.visits(input)).createOrReplaceTempView("uservisits")

  /** A scan with a filter. */
  def q1(rank: Int): DataFrame =
    spark.sql(s"SELECT pageURL, pageRank FROM rankings WHERE pageRank > $rank")

  /** An aggregation. */
  def q2(prefix: Int): DataFrame =
    spark.sql(
      s"""SELECT SUBSTR(sourceIP, 1, $prefix) AS prefix, SUM(adRevenue) AS revenue
         |FROM uservisits GROUP BY SUBSTR(sourceIP, 1, $prefix)""".stripMargin
    )

  /** A join. The benchmark keeps the first row only; without its LIMIT all groups can be checked. */
  def q3(until: Date): DataFrame =
    spark.sql(
      s"""SELECT sourceIP, SUM(adRevenue) AS totalRevenue, AVG(pageRank) AS avgPageRank
         |FROM rankings JOIN uservisits ON pageURL = destURL
         |WHERE visitDate BETWEEN DATE '${BigDataAnswers.FirstDate}' AND DATE '$until'
         |GROUP BY sourceIP ORDER BY totalRevenue DESC""".stripMargin
    )

  def sum1(rows: DataFrame): Checksum =
    Checksum.of(rows.as[(String, Int)].rdd.map((BigDataAnswers.hash1 _).tupled))

  def sum2(rows: DataFrame): Checksum =
    Checksum.of(rows.as[(String, Double)].rdd.map((BigDataAnswers.hash2 _).tupled))

  /** The rows' partitions one after the other, which must be in order of falling revenue. */
  def runs3(rows: DataFrame): Seq[SortedRun[BigDataQueries.Revenue]] =
    rows.as[BigDataQueries.Revenue].rdd.mapPartitions { revenues =>
      Iterator.single(SortedRun.of(revenues) { case (source, revenue, rank) =>
        BigDataAnswers.hash3(source, revenue, rank)
      }(BigDataQueries.ByFallingRevenue))
    }.collect().toSeq
}

object BigDataQueries {

  /** A row of the third query. */
  type Revenue = (String, Double, Double)

  val ByFallingRevenue: Ordering[Revenue] = Ordering.by { case (_, revenue, _) => -revenue }
}
