package org.sparkhpc.apps

import java.nio.file.{Path, Paths}
import java.util.Base64

import scala.util.{Random, Try}
import scala.util.hashing.MurmurHash3

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.functions._

/** Shuffles in a row, of keys and words made from a seed, and what goes wrong meanwhile.
  *
  * @param notes a directory of the job's own that all executors see
  * @param words `seed`, `rows`, `keys`, `bytes` (of the longest word), `maps`, `api` (`rdd` or `sql`),
  *   `adaptive`, `steps` such as `join:3,sort:5` with their numbers of partitions, `fault` (`none`, or
  *   WHEN-WHAT: a [[Loss]] in the `map` stage or the `reduce` stage, or a [[Damage]] `between` two
  *   actions; what is `cancelled` runs again)
  */
private[apps] final class GeneratedJob(
    spark: SparkSession,
    notes: Path,
    words: Map[String, String]
) {
  import GeneratedJob._
  import spark.implicits._

  private val sc: SparkContext = spark.sparkContext
  private val steps = words("steps").split(',').map(_.split(':')).map { case Array(name, parts) =>
    (name, parts.toInt)
  }
  private val fault = words("fault")
  private val damage = {
    // With it is what executors have for themselves.
    val root = sc.getConf.getOption("spark.hpc.shuffle.directory").map(Paths.get(_).getParent)
    new Damage(root, words("seed").toLong)
  }

  /** What was done to which file; None if there was none to do it to. */
  def harmed: Option[String] = damage.harmed

  /** In their order, if the last step sorts. */
  def rows: Seq[(Long, String)] =
    if (fault.endsWith("-cancelled")) {
      val cancelled = Try(Cancelling.when(sc, Loss.victim(notes.toString).nonEmpty)(run()))
      cancelled.getOrElse(run())
    } else {
      run()
    }

  private def run(): Seq[(Long, String)] = {
    val result = if (words("api") == "sql") sql else rdds
    val faulty = faultIn("reduce", result)
    if (fault.startsWith("between-")) {
      faulty.count()
      damage.happen(fault.stripPrefix("between-"))
    }
    val rows = faulty.collect().toSeq
    if (steps.last._1 == "sort") rows else rows.sorted
  }

  private def source: RDD[(Long, String)] = {
    val Seq(seed, rows, keys, bytes, maps) =
      Seq("seed", "rows", "keys", "bytes", "maps").map(words(_).toLong)
    val all = sc.range(0, rows, 1, maps.toInt).mapPartitionsWithIndex { (part, numbers) =>
      val random = new Random(seed * 31 + part)
      numbers.map { _ =>
        // Some keys have many rows.
        val key = (math.pow(random.nextDouble(), 3) * keys).toLong
        (key, word(random, random.nextInt(bytes.toInt + 1)))
      }
    }
    faultIn("map", all)
  }

  /** Something for one key in three. */
  private def others: RDD[(Long, String)] =
    sc.range(0, words("keys").toLong, 3, 2).map(key => (key, s"+$key"))

  private def faultIn(when: String, rows: RDD[(Long, String)]): RDD[(Long, String)] =
    if (fault.startsWith(s"$when-")) {
      val loss = Loss(fault.stripPrefix(s"$when-"), notes.toString)
      rows.mapPartitionsWithIndex { (part, rows) =>
        if (part == 0) loss.happen()
        rows
      }
    } else {
      rows
    }

  private def rdds: RDD[(Long, String)] = steps.foldLeft(source) { case (rows, (name, parts)) =>
    rddSteps(name)(rows, parts)
  }

  private lazy val rddSteps = Map[String, (RDD[(Long, String)], Int) => RDD[(Long, String)]](
    "reduce" -> (_.reduceByKey((one, other) => if (one > other) one else other, _)),
    "group" -> (_.groupByKey(_).mapValues(digest)),
    "aggregate" -> (_.aggregateByKey(0L, _)(_ + _.length, _ + _).mapValues(_.toString)),
    "distinct" -> (_.distinct(_)),
    "sort" -> ((rows, parts) => rows.sortBy(identity, numPartitions = parts)),
    "repartition" -> (_.repartition(_)),
    "join" -> (_.join(others, _).mapValues { case (word, other) => word + other }),
    "outer" -> (_.leftOuterJoin(others, _).mapValues { case (word, other) => s"$word$other" }),
    "cogroup" -> (_.cogroup(others, _).mapValues { case (words, others) =>
      digest(words ++ others)
    })
  )

  private def sql: RDD[(Long, String)] = {
    spark.conf.set("spark.sql.adaptive.enabled", words("adaptive"))
    val frame = steps.foldLeft(source.toDF("key", "word")) { case (rows, (name, parts)) =>
      spark.conf.set("spark.sql.shuffle.partitions", parts.toLong)
      if (name == "repartition") rows.repartition(parts) else sqlSteps(name)(rows)
    }
    frame.select("key", "word").as[(Long, String)].rdd
  }

  private def other = others.toDF("key", "other")

  private lazy val sqlSteps = Map[String, DataFrame => DataFrame](
    "reduce" -> (_.groupBy("key").agg(max("word").as("word"))),
    "group" -> (_.groupBy("key").agg(
      sha1(concat_ws(",", sort_array(collect_list("word")))).as("word")
    )),
    "aggregate" -> (_.groupBy("key").agg(sum(length($"word")).cast("string").as("word"))),
    "distinct" -> (_.distinct()),
    "sort" -> (_.orderBy("key", "word")),
    "join" -> (_.join(other, "key").select($"key", concat($"word", $"other").as("word"))),
    "outer" -> (_.join(other, Seq("key"), "left").select(
      $"key",
      concat_ws("", $"word", $"other").as("word")
    )),
    "cogroup" -> (_.join(other, Seq("key"), "left_anti"))
  )
}

private object GeneratedJob {

  /** Of letters and digits, mostly, which no codec makes much shorter. */
  private def word(random: Random, length: Int): String = {
    val bytes = new Array[Byte](length)
    random.nextBytes(bytes)
    Base64.getEncoder.encodeToString(bytes).take(length)
  }

  private def digest(words: Iterable[String]): String =
    MurmurHash3.orderedHash(words.toSeq.sorted).toString
}
