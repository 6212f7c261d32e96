package org.sparkhpc.apps

import scala.util.hashing.MurmurHash3

import org.apache.spark.{HashPartitioner, SparkConf, SparkContext}
import org.apache.spark.rdd.RDD

/** Shuffles that spill, of each kind that Spark writes or reads in another way, with each combination of
  * compressed and plain spills and outputs: an application of its own for each.
  */
object CompressionSettings {
  private val Parts = 4

  def main(args: Array[String]): Unit =
    for (spills <- Seq(true, false); outputs <- Seq(true, false)) {
      val conf = new SparkConf()
        .set("spark.shuffle.spill.compress", spills.toString)
        .set("spark.shuffle.compress", outputs.toString)
        .set("spark.shuffle.spill.numElementsForceSpillThreshold", "500")
      val sc = new SparkContext(conf)
      val metrics = GroupMetrics.of(sc)
      try {
        Report.storageClasses(sc, 2)
        for ((kind, rows) <- shuffles(sc)) {
          val group = s"$spills.$outputs.$kind"
          sc.setJobGroup(group, group)
          val all = rows.collect()
          Report.line(s"$group.rows", s"${all.length} ${MurmurHash3.arrayHash(all)}")
        }
      } finally sc.stop()
      metrics.report()
    }

  /** Each with rows in an order that holds for any order in which blocks arrive. */
  private def shuffles(sc: SparkContext): Seq[(String, RDD[String])] = {
    val pairs = sc.range(0, 6000, 1, Parts).map(n => (n % 600, s"value $n of a few"))
    def lines(groups: RDD[(Long, Iterable[String])]): RDD[String] =
      groups.mapPartitions(_.map { case (key, all) =>
        s"$key ${all.toSeq.sorted}"
      }.toSeq.sorted.toIterator)
    Seq(
      "grouped" -> lines(pairs.groupByKey(Parts)),
      "combined" -> lines(pairs.mapValues(Iterable(_)).reduceByKey(_ ++ _, Parts)),
      "ordered" -> pairs.map(_.swap).sortByKey(numPartitions = Parts).map(_.toString),
      // More partitions than are written without sorting.
      "spread" -> lines(pairs.partitionBy(new HashPartitioner(201)).mapValues(Iterable(_)))
    )
  }
}
