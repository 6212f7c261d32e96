package org.apache.spark.examples.hpc

import scopt.OParser

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession

/** Joins lists of k fields that differ in the last one only to lists of k + 1, as PUMA's SelfJoin:
  * reducers sort, drop what is there twice and write all pairs, much more than they read.
  */
object SelfJoin extends WithoutFiles[SelfJoinOptions] {
  import builder._

  override protected def label: String = "selfjoin"
  override protected def defaults: SelfJoinOptions = SelfJoinOptions()

  override private[hpc] def work(
      spark: SparkSession,
      o: SelfJoinOptions,
      phases: Phases
  ): Outcome = {
    val sc = spark.sparkContext
    val found = phases.mapReduce(Checksum.of(joined(sc, o).map((hash _).tupled)))
    check(sc, o, found)
    Outcome.checked(
      "maps" -> o.maps,
      "reduces" -> o.reduces,
      "lists" -> o.lists,
      "joined" -> found.records
    )
  }

  /** The fields that two lists have in common, and the last field of each. */
  private[hpc] def joined(sc: SparkContext, o: SelfJoinOptions): RDD[(String, Int, Int)] =
    sc.range(0, o.lists, numSlices = o.maps)
      .map(number => (o.prefix(number % o.prefixes), (number / o.prefixes % o.lasts).toInt))
      .groupByKey(o.reduces)
      .flatMap { case (prefix, lasts) =>
        val sorted = lasts.toArray.distinct.sorted
        sorted.iterator.zipWithIndex.flatMap { case (first, at) =>
          sorted.iterator.drop(at + 1).map(second => (prefix, first, second))
        }
      }

  /** Each prefix has all last fields, so that its pairs can be written down. */
  private[hpc] def check(sc: SparkContext, o: SelfJoinOptions, found: Checksum): Unit = {
    val pairs = sc.range(0, o.prefixes, numSlices = o.maps).flatMap { number =>
      val prefix = o.prefix(number)
      for (first <- Iterator.range(0, o.lasts); second <- Iterator.range(first + 1, o.lasts))
        yield hash(prefix, first, second)
    }
    val expected = Checksum.of(pairs)
    Answer.equal("pairs", o.prefixes * o.lasts * (o.lasts - 1L) / 2, expected.records)
    Answer.equal("joined lists", expected, found)
  }

  private[hpc] def hash(prefix: String, first: Int, second: Int): Long =
    Checksum.hash(Checksum.hash(prefix), first.toLong, second.toLong)

  override protected val syntax: OParser[_, SelfJoinOptions] = OParser.sequence(
    programName("SelfJoin"),
    head("Joins lists that differ in the last field only"),
    count("maps", 1).action((x, o) => o.copy(maps = x)).text("default 16"),
    count("reduces", 1).action((x, o) => o.copy(reduces = x)).text("default 16"),
    amount("prefixes", 1, 1L << 32).action((x, o) => o.copy(prefixes = x))
      .text("groups of lists; default 10000"),
    count("lasts", 1, 1 << 12).action((x, o) => o.copy(lasts = x))
      .text("lists in each group; default 16"),
    count("copies", 1, 1 << 12).action((x, o) => o.copy(copies = x))
      .text("how often each list is there; default 4"),
    count("fields", 1, 1 << 10).action((x, o) => o.copy(fields = x))
      .text("k, of which all but one are the prefix; default 5"),
    seed.action((x, o) => o.copy(seed = x)),
    help("help").text("print this")
  )
}

/** Which lists are joined, by how many tasks. */
final case class SelfJoinOptions(
    maps: Int = 16,
    reduces: Int = 16,
    prefixes: Long = 10000,
    lasts: Int = 16,
    copies: Int = 4,
    fields: Int = 5,
    seed: Long = 1
) {

  def lists: Long = prefixes * lasts * copies

  /** The prefix's own number makes it different from all others. */
  def prefix(number: Long): String = {
    val random = new Draws(seed).of(number)
    (number +: Seq.fill(fields - 2)(random.nextInt(10000).toLong)).mkString(",")
  }
}
