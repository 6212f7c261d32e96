package org.sparkhpc.apps

import java.nio.file.{Files, Path, Paths}

import scala.util.Random

import org.apache.spark.SparkContext
import org.apache.spark.storage.StorageLevel

/** A program with one bottleneck, for two cores: `KIND [DIRECTORY]`. Some kinds need a setting, too, or a slow file system
  * at DIRECTORY.
  */
object Planted {

  def main(args: Array[String]): Unit = {
    val sc = new SparkContext
    args match {
      case Array("nothing") => nothing(sc)
      case Array("nothing-shuffled") => shuffled(sc)
      case Array("metadata", directory) => smallFiles(sc, Paths.get(directory))
      case Array("data") => bytesThroughScratch(sc)
      case Array("cache") => cached(sc)
      case Array("skew") => skewed(sc)
      case Array("smallTasks") => sc.parallelize(1 to 6000, 6000).count()
      case Array("lostOutputs", notes) => lostOutputs(sc, notes)
    }
    sc.stop()
  }

  /** Keeps a core busy. */
  private def work(millis: Long): Long = {
    val end = System.nanoTime() + millis * 1000000
    var sum = 0L
    while (System.nanoTime() < end) sum += Random.nextInt(10)
    sum
  }

  private def nothing(sc: SparkContext): Unit =
    sc.parallelize(1 to 32, 32).map(_ => work(500)).count(): Unit

  private def shuffled(sc: SparkContext): Unit =
    sc.parallelize(1 to 16, 16)
      .flatMap { i =>
        work(400)
        Iterator.range(0, 1000).map(key => (key, i))
      }
      .groupByKey(16)
      .map(_ => work(5))
      .count(): Unit

  private def smallFiles(sc: SparkContext, directory: Path): Unit = {
    val files = Files.createDirectories(directory.resolve("input"))
    for (i <- 0 until 200) Files.write(files.resolve(s"$i"), s"$i\n".getBytes)
    sc.wholeTextFiles(files.toUri.toString, 8).count(): Unit
  }

  /** Bytes that no compression makes fewer. */
  private def random(i: Int, bytes: Int): Array[Byte] = {
    val made = new Array[Byte](bytes)
    new Random(i).nextBytes(made)
    made
  }

  private def bytesThroughScratch(sc: SparkContext): Unit =
    for (round <- 1 to 2)
      sc.parallelize(0 until 64, 16).map(i => (i, random(i * round, 1 << 19))).groupByKey(
        16
      ).count(): Unit

  private def cached(sc: SparkContext): Unit = {
    val blocks = sc.parallelize(0 until 8, 8).map(i => random(i, 1 << 22)).persist(
      StorageLevel.MEMORY_AND_DISK
    )
    for (_ <- 1 to 12) blocks.map(_.length.toLong).sum()
  }

  private def skewed(sc: SparkContext): Unit =
    sc.parallelize(0 until 400, 4)
      .map(i => (if (i % 20 == 0) i else 0, i))
      .groupByKey(16)
      .map { case (_, values) => values.map(_ => work(30)).sum }
      .count(): Unit

  private def lostOutputs(sc: SparkContext, notes: String): Unit =
    sc.parallelize(1 to 16, 16)
      .map { i =>
        work(500)
        (i, i)
      }
      .groupByKey(4)
      .map { _ =>
        Loss("executor", notes).happen()
        work(100)
      }
      .count(): Unit
}
