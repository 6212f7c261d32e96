package org.apache.spark.examples.hpc

import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow

import org.apache.spark.sql.SparkSession

class BigDataSuite
    extends AnyFunSuite
    with Workloads
    with WrongAnswers
    with TemporaryFiles {

  override protected def settings: Map[String, String] = Map("spark.sql.shuffle.partitions" -> "3")

  private val data = BigDataSet(pages = 90, visits = 400, sources = 40, seed = 5)

  private def generated(): Path = {
    val output = fresh("tables")
    assertRuns(BigDataGen, "bigdatagen", "pages=90", "visits=400", "files=6")(
      s"--pages 90 --visits 400 --sources 40 --files 6 --seed 5 --output $output"
    )
    output
  }

  private def parts(table: Path): Seq[Path] =
    table.toFile.listFiles.filter(_.getName.endsWith(".parquet")).map(_.toPath).sorted.toSeq

  private val parameters = "--rank 2 --prefix 3 --until 2010-01-01"

  private def assertWrongAnswer(tables: Path, queries: String*): Unit =
    queries.foreach { query =>
      assertRefused(BigDataBenchmark, 1, "wrong answer: ", "expected ", "found ")(
        s"--input $tables --query $query $parameters"
      )
    }

  private lazy val tables = generated()

  /** Tables to be spoiled. */
  private def copied(): Path = {
    val copy = fresh("tables")
    val all = Files.walk(tables)
    try
      for (path <- all.iterator.asScala)
        Files.copy(path, copy.resolve(tables.relativize(path))): Unit
    finally all.close()
    copy
  }

  test("writes as many files as asked for, and all queries are answered rightly", Slow) {
    assert(parts(tables.resolve("rankings")).size == 6)
    assert(parts(tables.resolve("uservisits")).size == 6)
    assertRuns(BigDataBenchmark, "bigdata", "rows.q3=40")(s"--input $tables $parameters")
    assertRuns(BigDataBenchmark, "bigdata")(
      s"--input $tables --query q2 --prefix 15 --warm-up $tables"
    )
  }

  test("answers are those of the definitions, on rows taken in hand", Slow) {
    val input =
      tables.toString // made before there is a session: the program that makes them stops its own
    val spark = SparkSession.builder.getOrCreate()
    try {
      val queries = new BigDataQueries(spark, new org.apache.hadoop.fs.Path(input))
      val pages = (0L until 90L).map(data.pageTable.page)
      val visits = (0L until 400L).map(data.visitTable.visit)
      assert(queries.q1(2).count() == pages.count(_.pageRank > 2))
      val byPrefix = visits.groupBy(_.sourceIP.take(3)).mapValues(_.map(_.adRevenue).sum)
      assert(queries.q2(3).collect().map(row => row.getString(0) -> row.getDouble(1)).toMap ==
        byPrefix.toMap)
      val until = java.sql.Date.valueOf("1999-12-31")
      val joined = visits
        .filter(visit => visit.visitDate.toString >= "1980-01-01")
        .filter(visit => visit.visitDate.toString <= "1999-12-31")
        .flatMap(visit => pages.filter(_.pageURL == visit.destURL).map(visit -> _))
        .groupBy(_._1.sourceIP)
        .map { case (source, rows) =>
          val ranks = rows.map(_._2.pageRank.toDouble)
          source -> ((rows.map(_._1.adRevenue).sum, ranks.sum / ranks.size))
        }
      val found = queries.q3(until).collect()
      assert(found.map(r => r.getString(0) -> ((r.getDouble(1), r.getDouble(2)))).toMap == joined)
      assert(found.map(_.getDouble(1)).toSeq == joined.values.map(_._1).toSeq.sorted.reverse)
    } finally spark.stop()
  }

  test("a lost file is found by each query that reads it", Slow) {
    val lost = copied()
    Files.delete(parts(lost.resolve("uservisits")).last)
    assertWrongAnswer(lost, "q2", "q3")
    Files.delete(parts(lost.resolve("rankings")).last)
    assertWrongAnswer(lost, "q1")
  }

  test("a doubled file is found by each query that reads it", Slow) {
    val doubled = copied()
    for (table <- Seq("rankings", "uservisits")) {
      val part = parts(doubled.resolve(table)).head
      Files.copy(part, part.resolveSibling("part-99999.parquet"))
    }
    assertWrongAnswer(doubled, "q1", "q2", "q3")
  }

  test("the generator's check finds a lost file and other rows") {
    val spoiled = copied()
    def options(seed: Long): BigDataGenOptions =
      BigDataGenOptions(data.copy(seed = seed), files = 6, output = spoiled.toString)
    val spark = SparkSession.builder.getOrCreate()
    try {
      BigDataGen.check(spark, options(seed = 5))
      assertWrong("rows in", "checksum")(BigDataGen.check(spark, options(seed = 6)))
      Files.delete(parts(spoiled.resolve("rankings")).head)
      assertWrong("expected 6", "found 5")(BigDataGen.check(spark, options(seed = 5)))
    } finally spark.stop()
  }

  test("wrong options are refused") {
    val output = fresh("x")
    assertRefused(BigDataGen, 2, "--files 7", "rows")(s"--pages 6 --files 7 --output $output")
    assertRefused(BigDataBenchmark, 2, "--query q4", "q1, q2, q3")(s"--input $tables --query q4")
    assertRefused(BigDataBenchmark, 2, "--until", "1980-04-01")(s"--input $tables --until May")
    assertRefused(BigDataBenchmark, 1, "--input", "no such file")(s"--input $output")
    assertRefused(BigDataBenchmark, 1, "--warm-up", "no such file")(
      s"--input $tables --warm-up $output"
    )
  }
}
