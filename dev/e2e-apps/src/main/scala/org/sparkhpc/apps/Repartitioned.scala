package org.sparkhpc.apps

import scala.util.Random
import scala.util.hashing.MurmurHash3

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.{Dataset, SparkSession}

/** What is in each partition after `repartition`, before and after all map outputs are damaged. */
private[apps] object Repartitioned {
  private val Parts = 37

  /** @param outputs the directory that map outputs are below */
  def run(spark: SparkSession, outputs: String): Unit = {
    import spark.implicits._
    val sc = spark.sparkContext
    // Blocks of several map tasks in the first of two shuffles, too.
    spark.conf.set("spark.sql.shuffle.partitions", 5L)
    spark.conf.set("spark.sql.adaptive.coalescePartitions.enabled", false)
    val numbers = spark.range(0, 10000, 1, 5).as[Long]
    val inputs = Seq(
      // Another order in each attempt of a map task.
      "shuffled" -> numbers.mapPartitions(rows => Random.shuffle(rows)),
      "repeated" -> numbers.map(n => n * n % 1009).mapPartitions(rows => Random.shuffle(rows)),
      // In the order in which blocks arrived, since it is a hash map's.
      "chained" -> numbers.selectExpr("id % 3001 as key", "id").groupBy("key").sum("id")
        .selectExpr("key + `sum(id)`").as[Long]
    )
    for ((name, input) <- inputs) {
      val rows = partitions(input)
      sc.setJobGroup(s"$name-first", name)
      Report.line(s"$name.before", describe(rows))
      Report.line(s"$name.damaged", MapOutputFiles.damage(outputs))
      sc.setJobGroup(name, name)
      Report.line(s"$name.after", describe(rows))
    }
  }

  /** One RDD, so that a second job reads the first one's map outputs. */
  private def partitions(input: Dataset[Long]): RDD[(Int, Seq[Long])] =
    input.repartition(Parts).rdd.mapPartitionsWithIndex { (index, rows) =>
      Iterator((index, rows.toList.sorted))
    }

  private def describe(rows: RDD[(Int, Seq[Long])]): String = {
    val all = rows.collect().sortBy(_._1).toSeq
    s"${all.size} ${all.map(_._2.size).sum} ${MurmurHash3.seqHash(all)}"
  }
}
