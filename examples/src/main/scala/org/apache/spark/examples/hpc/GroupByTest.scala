package org.apache.spark.examples.hpc

import scopt.OParser

import org.apache.spark.SparkEnv
import org.apache.spark.rdd.{RDD, ShuffledRDD}
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.functions.{col, collect_list}

/** The all-to-all shuffle: M maps write pairs for R reducers, which group them by key.
  *
  * Spark's writers differ by serializer, number of reducers and API: `spark.serializer` is set from
  * outside, `--api` here. The SQL variant moves every row, too: rows are partitioned by key before
  * they are grouped, which leaves nothing for a partial aggregation ahead of the shuffle.
  */
object GroupByTest extends WithoutFiles[GroupByOptions] {
  import builder._

  override protected def label: String = "groupby"
  override protected def defaults: GroupByOptions = GroupByOptions()

  override private[hpc] def work(
      spark: SparkSession,
      o: GroupByOptions,
      phases: Phases
  ): Outcome = {
    val pairs = generate(spark, o)
    val found = phases.mapReduce(Groups.of(grouped(spark, pairs, o))(PairGenerator.hash))
    check(pairs, o, found)
    Outcome.checked(
      "api" -> o.api,
      "maps" -> o.maps,
      "reduces" -> o.reduces,
      "pairs" -> o.pairs,
      "keys" -> o.distinct,
      "bytes" -> o.pairs * (o.keyBytes + o.valueBytes)
    )
  }

  private[hpc] def generate(
      spark: SparkSession,
      o: GroupByOptions
  ): RDD[(String, Array[Byte])] = {
    val generator = new PairGenerator(o.distinct, o.keyBytes, o.valueBytes, o.seed)
    spark.sparkContext.range(0, o.pairs, numSlices = o.maps).map(generator.pair)
  }

  private[hpc] def grouped(
      spark: SparkSession,
      pairs: RDD[(String, Array[Byte])],
      o: GroupByOptions
  ): RDD[(String, Iterable[Array[Byte]])] = o.api match {
    case "rdd" =>
      val groups = pairs.groupByKey(o.reduces)
      // Left alone it takes Kryo for strings and arrays of bytes, whatever spark.serializer says.
      groups match {
        case shuffled: ShuffledRDD[_, _, _] => shuffled.setSerializer(SparkEnv.get.serializer)
      }
      groups
    case "sql" =>
      import spark.implicits._
      pairs
        .toDF("key", "value")
        .repartition(o.reduces, col("key"))
        .groupBy("key")
        .agg(collect_list("value"))
        .as[(String, Seq[Array[Byte]])]
        .rdd
        .map { case (key, values) => (key, values) }
  }

  /** The generator's own pairs, which no shuffle has seen, say what the answer must be. */
  private[hpc] def check(
      pairs: RDD[(String, Array[Byte])],
      o: GroupByOptions,
      found: Groups
  ): Unit = {
    val expected = Checksum.of(pairs.map((PairGenerator.hash _).tupled))
    Answer.equal("pairs made", o.pairs, expected.records)
    Answer.equal("groups", Groups(o.distinct, expected), found)
  }

  override protected val syntax: OParser[_, GroupByOptions] = OParser.sequence(
    programName("GroupByTest"),
    head("An all-to-all shuffle, M x R; spark.serializer decides on Java or Kryo"),
    oneOf("api", Seq("rdd", "sql")).action((x, o) => o.copy(api = x)).text("default rdd"),
    count("maps", 1).action((x, o) => o.copy(maps = x)).text("M; default 16"),
    count("reduces", 1).action((x, o) => o.copy(reduces = x)).text("R; default 16"),
    amount("pairs-per-map", 1).action((x, o) => o.copy(pairsPerMap = x)).text("default 10000"),
    amount("keys", 1).action((x, o) => o.copy(keys = Some(x)))
      .text("different keys; default: as many as pairs, or as the key size allows"),
    count("key-bytes", 1, 1 << 16).action((x, o) => o.copy(keyBytes = x)).text("default 10"),
    count("value-bytes", 0, 1 << 28).action((x, o) => o.copy(valueBytes = x)).text("default 90"),
    seed.action((x, o) => o.copy(seed = x)),
    help("help").text("print this"),
    checkConfig { o =>
      val most = PairGenerator.most(o.keyBytes)
      if (o.pairsPerMap > Long.MaxValue / o.maps / (o.keyBytes + o.valueBytes)) {
        failure(s"--pairs-per-map ${o.pairsPerMap}: too many for ${o.maps} maps; lower one")
      } else if (o.keys.exists(_ > most)) {
        failure(s"--keys ${o.keys.mkString}: of ${o.keyBytes} bytes there are $most; lower it")
      } else success
    }
  )
}
