package org.apache.spark.examples.hpc

import scopt.OParser

import org.apache.spark.sql.SparkSession
import org.apache.spark.storage.StorageLevel

/** An RDD of many small tuples that take less to make than to write and to read, cached and used several
  * times: what a cache costs that is too small, and wasn't needed.
  */
object SmallTuples extends WithoutFiles[SmallTuplesOptions] {
  import builder._

  override protected def label: String = "smalltuples"
  override protected def defaults: SmallTuplesOptions = SmallTuplesOptions()

  override private[hpc] def work(
      spark: SparkSession,
      o: SmallTuplesOptions,
      phases: Phases
  ): Outcome = {
    val tuples = spark.sparkContext
      .range(0, o.tuples.toLong, numSlices = o.partitions)
      .map(n => (n, n + 1))
      .persist(StorageLevel.fromString(o.storageLevel))
    for (_ <- 1 to o.counts) check(o, phases("count")(tuples.count()))
    Outcome.checked("tuples" -> o.tuples, "counts" -> o.counts)
  }

  private[hpc] def check(o: SmallTuplesOptions, found: Long): Unit =
    Answer.equal("tuples", o.tuples.toLong, found)

  override protected val syntax: OParser[_, SmallTuplesOptions] = OParser.sequence(
    programName("SmallTuples"),
    head("A cached RDD of small tuples that are quickly made, counted several times"),
    count("tuples", 1).action((x, o) => o.copy(tuples = x)).text("default 2000000"),
    count("counts", 1).action((x, o) => o.copy(counts = x)).text("default 4"),
    count("partitions", 1).action((x, o) => o.copy(partitions = x)).text("default 16"),
    storageLevel.action((x, o) => o.copy(storageLevel = x)),
    help("help").text("print this")
  )
}

/** How many tuples are counted how often. */
final case class SmallTuplesOptions(
    tuples: Int = 2000000,
    counts: Int = 4,
    partitions: Int = 16,
    storageLevel: String = "MEMORY_ONLY"
)
