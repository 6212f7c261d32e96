package org.apache.spark.examples.hpc

import org.apache.hadoop.fs.Path
import scopt.OParser

import org.apache.spark.RangePartitioner
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession

/** Sorts [[TeraGen]]'s files into files that are sorted one after the other.
  *
  * Ranges come from a sample of the input, so that reducers get about the same number of records.
  */
object TeraSort extends Workload[TeraSortOptions] {
  import builder._

  override protected def label: String = "terasort"
  override protected def defaults: TeraSortOptions = TeraSortOptions()

  override protected def look(o: TeraSortOptions, locations: Locations): Unit = {
    locations.input("--input", o.input)
    locations.output("--output", o.output)
  }

  override private[hpc] def work(
      spark: SparkSession,
      o: TeraSortOptions,
      phases: Phases
  ): Outcome = {
    val sc = spark.sparkContext
    val (input, output) = (new Path(o.input), new Path(o.output))
    val records = FixedLengthFiles.read(sc, input, TeraRecord.Length)
    val reduces = if (o.reduces > 0) o.reduces else records.getNumPartitions
    val ranges = phases("sample")(partitioner(records, reduces))
    phases.mapReduce(FixedLengthFiles.write(sorted(records, ranges), output))
    val checksum = TeraValidate.check(sc, input, output)
    Outcome.checked(
      "records" -> checksum.records,
      "maps" -> records.getNumPartitions,
      "reduces" -> reduces,
      "bytes" -> checksum.records * TeraRecord.Length
    )
  }

  private type Ranges = RangePartitioner[Array[Byte], Null]

  private def partitioner(records: RDD[Array[Byte]], reduces: Int): Ranges = {
    implicit val byKey: Ordering[Array[Byte]] = TeraRecord.ByKey
    new RangePartitioner(reduces, records.map(record => (record, null)))
  }

  private def sorted(records: RDD[Array[Byte]], ranges: Ranges): RDD[Array[Byte]] = {
    implicit val byKey: Ordering[Array[Byte]] = TeraRecord.ByKey
    // The whole record is the key, of which the ordering looks at the first ten bytes.
    records.map(record => (record, null)).repartitionAndSortWithinPartitions(ranges).keys
  }

  override protected val syntax: OParser[_, TeraSortOptions] = OParser.sequence(
    programName("TeraSort"),
    head("Sorts what TeraGen wrote, and validates the result as TeraValidate does"),
    path("input").required().action((x, o) => o.copy(input = x)).text("TeraGen's output"),
    path("output").required().action((x, o) => o.copy(output = x)).text("new directory"),
    count("reduces", 0).action((x, o) => o.copy(reduces = x))
      .text("files to write; default 0: as many as there are maps"),
    help("help").text("print this")
  )
}

/** What is sorted, and where to. */
final case class TeraSortOptions(input: String = "", output: String = "", reduces: Int = 0)
