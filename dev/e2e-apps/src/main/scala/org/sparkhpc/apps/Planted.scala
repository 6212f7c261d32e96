package org.sparkhpc.apps

import java.nio.file.{Files, Path, Paths}

import scala.util.Random

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.storage.StorageLevel

/** Applications with one bottleneck each, for two cores, one after the other: `Planted APPLICATION...`.
  *
  * An application is `KIND [DIRECTORY] KEY=VALUE...`, with its settings. Some kinds need a setting, too, or a slow file
  * system at DIRECTORY. Most of what tasks do is to sleep: then they take the same time on a machine that is slow or
  * busy.
  */
object Planted {

  def main(args: Array[String]): Unit =
    for (application <- args) {
      val (settings, kind) = application.split(' ').toSeq.partition(_.contains('='))
      val sc = new SparkContext(new SparkConf().setAll(Settings.of(settings)))
      try run(sc, kind)
      finally sc.stop()
    }

  private def run(sc: SparkContext, kind: Seq[String]): Unit = kind match {
    case Seq("nothing") => nothing(sc)
    case Seq("nothing-shuffled") => shuffled(sc)
    case Seq("metadata", directory) => smallFiles(sc, Paths.get(directory))
    case Seq("data") => bytesThroughScratch(sc)
    case Seq("cache") => cached(sc)
    case Seq("skew") => skewed(sc)
    case Seq("smallTasks") => sc.parallelize(1 to 3000, 3000).count(): Unit
    case Seq("lostOutputs", notes) => lostOutputs(sc, notes)
  }

  /** Keeps a core busy. Sound programs do this for so long that to take it for a bottleneck would be seen. */
  private def work(millis: Long): Long = {
    val end = System.nanoTime() + millis * 1000000
    var sum = 0L
    while (System.nanoTime() < end) sum += Random.nextInt(10)
    sum
  }

  private def nothing(sc: SparkContext): Unit =
    sc.parallelize(1 to 32, 32)
      .map { _ =>
        Thread.sleep(350)
        work(150)
      }
      .count(): Unit

  private def shuffled(sc: SparkContext): Unit =
    sc.parallelize(1 to 16, 16)
      .flatMap { i =>
        Thread.sleep(500)
        work(300)
        Iterator.range(0, 1000).map(key => (key, i))
      }
      .groupByKey(16)
      .map(_ => Thread.sleep(12))
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

  /** The longest task takes 27 s, which is long beside the start of executors on a slow machine. */
  private def skewed(sc: SparkContext): Unit =
    sc.parallelize(0 until 400, 4)
      .map(i => (if (i % 20 == 0) i else 0, i))
      .groupByKey(16)
      .map { case (_, values) => values.foreach(_ => Thread.sleep(70)) }
      .count(): Unit

  /** Each executor makes about eight map outputs, and making them again takes eight seconds of a core. */
  private def lostOutputs(sc: SparkContext, notes: String): Unit =
    sc.parallelize(1 to 16, 16)
      .map { i =>
        Thread.sleep(1000)
        (i, i)
      }
      .groupByKey(4)
      .map { _ =>
        Loss("executor", notes).happen()
        Thread.sleep(100)
      }
      .count(): Unit
}
