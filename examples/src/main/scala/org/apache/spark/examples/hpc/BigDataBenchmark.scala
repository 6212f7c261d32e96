package org.apache.spark.examples.hpc

import java.sql.Date

import scala.util.Try

import org.apache.hadoop.fs.Path
import scopt.OParser

import org.apache.spark.sql.SparkSession

/** Runs the Big Data Benchmark's queries on [[BigDataGen]]'s tables; each is a phase. */
object BigDataBenchmark extends Workload[BigDataOptions] {
  import builder._

  override protected def label: String = "bigdata"
  override protected def defaults: BigDataOptions = BigDataOptions()

  override protected def look(o: BigDataOptions, locations: Locations): Unit = {
    locations.file("--input", BigDataSet.file(new Path(o.input)).toString)
    for (copy <- o.warmUp)
      locations.file("--warm-up", BigDataSet.file(new Path(copy)).toString): Unit
  }

  override private[hpc] def work(
      spark: SparkSession,
      o: BigDataOptions,
      phases: Phases
  ): Outcome = {
    val sc = spark.sparkContext
    val input = new Path(o.input)
    val data = BigDataSet.read(input, sc.hadoopConfiguration)
    val answers = new BigDataAnswers(sc, data)
    for (copy <- o.warmUp) warmUp(new BigDataQueries(spark, new Path(copy)), o)
    val queries = phases("open")(new BigDataQueries(spark, input))
    val rows = o.chosen.map {
      case "q1" =>
        val found = phases("q1")(queries.sum1(queries.q1(o.rank)))
        Answer.equal("q1", answers.q1(o.rank), found)
        "rows.q1" -> found.records
      case "q2" =>
        val found = phases("q2")(queries.sum2(queries.q2(o.prefix)))
        Answer.equal("q2", answers.q2(o.prefix), found)
        "rows.q2" -> found.records
      case _ =>
        val found = phases("q3")(queries.runs3(queries.q3(o.until)))
        val expected = answers.q3(o.until)
        SortedRun.check(found, expected)(BigDataQueries.ByFallingRevenue)
        "rows.q3" -> expected.records
    }
    Outcome.checked(Seq("pages" -> data.pages, "visits" -> data.visits) ++ rows: _*)
  }

  private def warmUp(queries: BigDataQueries, o: BigDataOptions): Unit = o.chosen.foreach {
    case "q1" => queries.sum1(queries.q1(o.rank))
    case "q2" => queries.sum2(queries.q2(o.prefix))
    case _ => queries.runs3(queries.q3(o.until))
  }

  override protected val syntax: OParser[_, BigDataOptions] = OParser.sequence(
    programName("BigDataBenchmark"),
    head("Scan, aggregation and join of the Big Data Benchmark"),
    path("input").required().action((x, o) => o.copy(input = x)).text("BigDataGen's output"),
    path("warm-up").unbounded().action((x, o) => o.copy(warmUp = o.warmUp :+ x))
      .text(
        "another BigDataGen's output, on which the queries run first, untimed; may be repeated"
      ),
    oneOf("query", "all" +: BigDataOptions.Queries).action((x, o) => o.copy(query = x))
      .text("default all"),
    count("rank", 0).action((x, o) => o.copy(rank = x))
      .text("q1: pages above it (1000, 100, 10 in the benchmark); default 1000"),
    count("prefix", 1, 15).action((x, o) => o.copy(prefix = x))
      .text("q2: characters of the address (8, 10, 12); default 8"),
    opt[String]("until").valueName("DATE")
      .validate { x =>
        if (Try(Date.valueOf(x)).isSuccess) success
        else failure(s"--until $x: is no date; write it as 1980-04-01")
      }
      .action((x, o) => o.copy(until = Date.valueOf(x)))
      .text("q3: last visit (1980-04-01, 1983-01-01, 2010-01-01); default 1980-04-01"),
    help("help").text("print this")
  )
}

/** Which queries to run, and their parameters. */
final case class BigDataOptions(
    input: String = "",
    query: String = "all",
    rank: Int = 1000,
    prefix: Int = 8,
    until: Date = Date.valueOf("1980-04-01"),
    warmUp: Seq[String] = Nil
) {

  def chosen: Seq[String] = if (query == "all") BigDataOptions.Queries else Seq(query)
}

object BigDataOptions {
  val Queries: Seq[String] = Seq("q1", "q2", "q3")
}
