package org.sparkhpc.apps

import scala.util.hashing.MurmurHash3

import org.apache.spark.{HashPartitioner, SparkConf, SparkContext}
import org.apache.spark.rdd.RDD

/** Shuffles that spill, of each kind that Spark writes or reads in another way, with each combination of
  * compressed and plain spills and outputs, an application of its own for each:
  * `CompressionSettings [DIRECTORY]`, once more with map outputs placed globally in DIRECTORY.
  *
  * The master is that of plain outputs of compressed spills. The others are local: what executors send
  * each other are outputs, and compressed ones are what all other programs have.
  */
object CompressionSettings {
  private val Parts = 4
  private val Local = "local[2]"

  def main(args: Array[String]): Unit = {
    val global = args.toSeq.map { directory =>
      "global" -> Seq(
        "spark.hpc.shuffle.placement" -> "global",
        "spark.hpc.shuffle.directory" -> directory
      )
    }
    val placements = ("default" -> Seq.empty[(String, String)]) +: global
    val both = Seq(true, false)
    for ((placement, settings) <- placements; spills <- both; outputs <- both) {
      val conf = new SparkConf()
        .setAll(settings)
        .set("spark.shuffle.spill.compress", spills.toString)
        .set("spark.shuffle.compress", outputs.toString)
        .set("spark.shuffle.spill.numElementsForceSpillThreshold", "500")
        .set("spark.shuffle.sort.bypassMergeThreshold", "16")
      val master = if (spills && !outputs) conf.get("spark.master") else Local
      shuffle(new SparkContext(conf.setMaster(master)), s"$placement.$spills.$outputs")
    }
  }

  private def shuffle(sc: SparkContext, name: String): Unit = {
    val metrics = GroupMetrics.of(sc)
    try {
      Report.storageClasses(sc, 2)
      for ((kind, rows) <- shuffles(sc)) {
        val group = s"$name.$kind"
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
      "spread" -> lines(pairs.partitionBy(new HashPartitioner(17)).mapValues(Iterable(_)))
    )
  }
}
