package org.apache.spark.examples.hpc

import scopt.OParser

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession

/** Sorts generated pairs by key, in memory and shuffle files only; [[TeraSort]] sorts files. */
object Sort extends WithoutFiles[SortOptions] {
  import builder._

  private[hpc] type Pair = (String, Array[Byte])

  private[hpc] val ByKey: Ordering[Pair] = Ordering.by(_._1)

  override protected def label: String = "sort"
  override protected def defaults: SortOptions = SortOptions()

  override private[hpc] def work(spark: SparkSession, o: SortOptions, phases: Phases): Outcome = {
    val sc = spark.sparkContext
    val sorted = phases("sample")(pairs(sc, o).sortByKey(ascending = true, o.reduces))
    val found = phases.mapReduce(runs(sorted))
    check(sc, o, found)
    Outcome.checked(
      "maps" -> o.maps,
      "reduces" -> o.reduces,
      "pairs" -> o.pairs,
      "bytes" -> o.pairs * (o.keyBytes + o.valueBytes)
    )
  }

  private[hpc] def pairs(sc: SparkContext, o: SortOptions): RDD[Pair] = {
    val keys = math.min(o.pairs, PairGenerator.most(o.keyBytes))
    val generator = new PairGenerator(keys, o.keyBytes, o.valueBytes, o.seed)
    sc.range(0, o.pairs, numSlices = o.maps).map(generator.pair)
  }

  private[hpc] def runs(sorted: RDD[Pair]): Seq[SortedRun[Pair]] =
    sorted.mapPartitions { pairs =>
      Iterator.single(SortedRun.of(pairs)((PairGenerator.hash _).tupled)(ByKey))
    }.collect().toSeq

  private[hpc] def check(sc: SparkContext, o: SortOptions, found: Seq[SortedRun[Pair]]): Unit = {
    val expected = Checksum.of(pairs(sc, o).map((PairGenerator.hash _).tupled))
    SortedRun.check(found, expected)(ByKey)
  }

  override protected val syntax: OParser[_, SortOptions] = OParser.sequence(
    programName("Sort"),
    head("Sorts generated pairs by key"),
    count("maps", 1).action((x, o) => o.copy(maps = x)).text("default 16"),
    count("reduces", 1).action((x, o) => o.copy(reduces = x)).text("default 16"),
    amount("pairs-per-map", 1, 1L << 32).action((x, o) => o.copy(pairsPerMap = x))
      .text("default 10000"),
    count("key-bytes", 1, 1 << 16).action((x, o) => o.copy(keyBytes = x)).text("default 10"),
    count("value-bytes", 0, 1 << 28).action((x, o) => o.copy(valueBytes = x)).text("default 90"),
    seed.action((x, o) => o.copy(seed = x)),
    help("help").text("print this")
  )
}

/** How many pairs of which sizes are sorted, by how many tasks. */
final case class SortOptions(
    maps: Int = 16,
    reduces: Int = 16,
    pairsPerMap: Long = 10000,
    keyBytes: Int = 10,
    valueBytes: Int = 90,
    seed: Long = 1
) {

  def pairs: Long = maps * pairsPerMap
}
