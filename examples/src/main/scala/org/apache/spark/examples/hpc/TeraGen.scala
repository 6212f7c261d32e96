package org.apache.spark.examples.hpc

import org.apache.hadoop.fs.Path
import scopt.OParser

import org.apache.spark.sql.SparkSession

/** Writes the Sort Benchmark's records for [[TeraSort]], and reads them again to check the files. */
object TeraGen extends Workload[TeraGenOptions] {
  import builder._

  override protected def label: String = "teragen"
  override protected def defaults: TeraGenOptions = TeraGenOptions()

  override protected def look(o: TeraGenOptions, locations: Locations): Unit =
    locations.output("--output", o.output)

  override private[hpc] def work(
      spark: SparkSession,
      o: TeraGenOptions,
      phases: Phases
  ): Outcome = {
    val sc = spark.sparkContext
    val generator = new TeraRecord(o.seed)
    val records = sc.range(0, o.records, numSlices = o.files).map(generator.record)
    phases("write")(FixedLengthFiles.write(records, new Path(o.output)))
    check(spark, o)
    Outcome.checked(
      "records" -> o.records,
      "files" -> o.files,
      "bytes" -> o.records * TeraRecord.Length,
      "seed" -> o.seed
    )
  }

  private[hpc] def check(spark: SparkSession, o: TeraGenOptions): Unit = {
    val sc = spark.sparkContext
    val generator = new TeraRecord(o.seed)
    val made = sc.range(0, o.records, numSlices = o.files).map(generator.record)
    val read = FixedLengthFiles.read(sc, new Path(o.output), TeraRecord.Length)
    Answer.equal(
      s"records in ${o.output}",
      Checksum.of(made.map(Checksum.hash)),
      Checksum.of(read.map(Checksum.hash))
    )
  }

  override protected val syntax: OParser[_, TeraGenOptions] = OParser.sequence(
    programName("TeraGen"),
    head("Records of the Sort Benchmark: 100 bytes with a key of 10"),
    amount("records", 1, Long.MaxValue / TeraRecord.Length).required()
      .action((x, o) => o.copy(records = x)),
    count("files", 1).action((x, o) => o.copy(files = x)).text("files to write; default 16"),
    seed.action((x, o) => o.copy(seed = x)),
    path("output").required().action((x, o) => o.copy(output = x)).text("new directory"),
    help("help").text("print this")
  )
}

/** How many records, in how many files. */
final case class TeraGenOptions(
    records: Long = 0,
    files: Int = 16,
    seed: Long = 1,
    output: String = ""
)
