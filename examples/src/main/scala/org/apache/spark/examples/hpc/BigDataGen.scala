package org.apache.spark.examples.hpc

import org.apache.hadoop.fs.Path
import scopt.OParser

import org.apache.spark.sql.{DataFrame, SparkSession}

/** Writes the tables of the Big Data Benchmark as Parquet in many files, and reads them again to
  * check what was written.
  */
object BigDataGen extends Workload[BigDataGenOptions] {
  import builder._

  override protected def label: String = "bigdatagen"
  override protected def defaults: BigDataGenOptions = BigDataGenOptions()

  override protected def look(o: BigDataGenOptions, locations: Locations): Unit =
    locations.output("--output", o.output)

  override private[hpc] def work(
      spark: SparkSession,
      o: BigDataGenOptions,
      phases: Phases
  ): Outcome = {
    val output = new Path(o.output)
    val (pages, visits) = tables(spark, o)
    phases("rankings")(pages.write.parquet(BigDataSet.rankings(output)))
    phases("uservisits")(visits.write.parquet(BigDataSet.visits(output)))
    o.data.write(output, spark.sparkContext.hadoopConfiguration)
    check(spark, o)
    Outcome.checked(
      "pages" -> o.data.pages,
      "visits" -> o.data.visits,
      "sources" -> o.data.sources,
      "files" -> o.files
    )
  }

  private def tables(spark: SparkSession, o: BigDataGenOptions): (DataFrame, DataFrame) = {
    import spark.implicits._
    val sc = spark.sparkContext
    val (pages, visits) = (o.data.pageTable, o.data.visitTable)
    (
      sc.range(0, o.data.pages, numSlices = o.files).map(pages.page).toDF(),
      sc.range(0, o.data.visits, numSlices = o.files).map(visits.visit).toDF()
    )
  }

  private[hpc] def check(spark: SparkSession, o: BigDataGenOptions): Unit = {
    val output = new Path(o.output)
    val (pages, visits) = tables(spark, o)
    for (
      (made, written) <-
        Seq(pages -> BigDataSet.rankings(output), visits -> BigDataSet.visits(output))
    ) {
      val read = spark.read.parquet(written)
      Answer.equal(s"files in $written", o.files, read.inputFiles.length)
      Answer.equal(s"rows in $written", rows(made), rows(read))
    }
  }

  private def rows(table: DataFrame): Checksum =
    Checksum.of(table.rdd.map(row => Checksum.hash(row.toString)))

  override protected val syntax: OParser[_, BigDataGenOptions] = OParser.sequence(
    programName("BigDataGen"),
    head("The tables of the Big Data Benchmark, rankings and uservisits, as Parquet"),
    amount("pages", 1).action((x, o) => o.copy(data = o.data.copy(pages = x)))
      .text("rows of rankings; default 10000"),
    amount("visits", 1).action((x, o) => o.copy(data = o.data.copy(visits = x)))
      .text("rows of uservisits; default 100000"),
    amount("sources", 1, VisitTable.MostSources)
      .action((x, o) => o.copy(data = o.data.copy(sources = x)))
      .text("addresses that visits come from, at most; default 10000"),
    count("files", 1).action((x, o) => o.copy(files = x)).text("of each table; default 16"),
    seed.action((x, o) => o.copy(data = o.data.copy(seed = x))),
    path("output").required().action((x, o) => o.copy(output = x)).text("new directory"),
    help("help").text("print this"),
    checkConfig { o =>
      if (o.files <= math.min(o.data.pages, o.data.visits)) success
      else failure(s"--files ${o.files}: more than rows of a table; lower it")
    }
  )
}

/** Which tables, in how many files each. */
final case class BigDataGenOptions(
    data: BigDataSet = BigDataSet(10000, 100000, 10000, 1),
    files: Int = 16,
    output: String = ""
)
