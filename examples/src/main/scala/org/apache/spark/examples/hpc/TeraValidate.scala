package org.apache.spark.examples.hpc

import org.apache.hadoop.fs.Path
import scopt.OParser

import org.apache.spark.SparkContext
import org.apache.spark.sql.SparkSession

/** Checks that files of records are sorted, also from one file to the next in order of their names,
  * and are the records of the unsorted files.
  */
object TeraValidate extends Workload[TeraValidateOptions] {
  import builder._

  override protected def label: String = "teravalidate"
  override protected def defaults: TeraValidateOptions = TeraValidateOptions()

  override protected def look(o: TeraValidateOptions, locations: Locations): Unit = {
    locations.input("--input", o.input)
    locations.input("--source", o.source)
  }

  override private[hpc] def work(
      spark: SparkSession,
      o: TeraValidateOptions,
      phases: Phases
  ): Outcome = {
    val sc = spark.sparkContext
    val checksum = phases("validate")(check(sc, new Path(o.source), new Path(o.input)))
    Outcome.checked("records" -> checksum.records, "checksum" -> checksum.sum.toHexString)
  }

  private[hpc] def check(sc: SparkContext, source: Path, sorted: Path): Checksum = {
    implicit val byKey: Ordering[Array[Byte]] = TeraRecord.ByKey
    val unsorted = FixedLengthFiles.read(sc, source, TeraRecord.Length)
    val expected = Checksum.of(unsorted.map(Checksum.hash))
    val runs = FixedLengthFiles.bySplit(sc, sorted, TeraRecord.Length) { (place, records) =>
      Iterator.single((place, SortedRun.of(records)(Checksum.hash)))
    }
    SortedRun.check(runs.collect().sortBy(_._1).map(_._2).toSeq, expected)
    expected
  }

  override protected val syntax: OParser[_, TeraValidateOptions] = OParser.sequence(
    programName("TeraValidate"),
    head("Are records sorted, and the same as before?"),
    path("input").required().action((x, o) => o.copy(input = x)).text("TeraSort's output"),
    path("source").required().action((x, o) => o.copy(source = x)).text("TeraSort's input"),
    help("help").text("print this")
  )
}

/** What should be sorted, and what it should be made of. */
final case class TeraValidateOptions(input: String = "", source: String = "")
