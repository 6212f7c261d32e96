package org.apache.spark.storage

import java.io.File
import java.nio.file.{Files, Path, Paths}

import scala.collection.JavaConverters._

import org.apache.commons.io.FileUtils
import org.apache.spark.{HashPartitioner, SparkContext}
import org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager
import org.scalatest.Suite
import org.sparkhpc.tier.{Tier, Tiers}

/** A Spark in this process whose jobs write scratch files into tiers. */
trait Scratchful extends LocalSpark { this: Suite =>
  import Scratchful._

  protected def withContext[A](scratch: String, settings: (String, String)*)(
      test: SparkContext => A
  ): A = withoutList(settings :+ ("spark.hpc.scratch.tiers" -> scratch): _*)(test)

  /** As [[withContext]], and nobody asks for tiers. */
  protected def withoutList[A](settings: (String, String)*)(test: SparkContext => A): A = {
    val spilling = Seq(
      // Each sort and each aggregation spills more than once.
      "spark.shuffle.spill.numElementsForceSpillThreshold" -> "1500",
      "spark.shuffle.spill.compress" -> "false",
      "spark.shuffle.compress" -> "false",
      "spark.cleaner.referenceTracking" -> "false"
    )
    withSpark(1, spilling ++ settings: _*)(test)
  }

  protected def below[A](test: Path => A): A = below(sys.props("java.io.tmpdir"))(test)

  protected def below[A](parent: String)(test: Path => A): A = {
    val folder = Files.createTempDirectory(Paths.get(parent), "scratch")
    try test(folder)
    finally FileUtils.deleteDirectory(folder.toFile)
  }

  /** For a first tier that no busy disk makes so slow that it is passed over, and another. */
  protected def inMemoryAndBelow[A](test: (Path, Path) => A): A =
    below("/dev/shm")(memory => below(test(memory, _)))

  protected def blocks(sc: SparkContext): HpcDiskBlockManager =
    sc.env.blockManager.diskBlockManager.asInstanceOf[HpcDiskBlockManager]

  protected def tiers(sc: SparkContext): Tiers = blocks(sc).tiers.get

  protected def filesIn(folder: Path): Seq[File] =
    FileUtils.listFiles(folder.toFile, null, true).asScala.toSeq

  /** Every kind of scratch file: spills of sorts and of aggregations, and shuffle outputs. */
  protected def sortAndGroup(sc: SparkContext): Unit = {
    val pairs = sc.range(0, Records.toLong, 1, 4).map(n => (n * 7919 % Records, n.toString * 20))
    val sorted = pairs.sortByKey(numPartitions = 3)
    assert(sorted.map(_._1).collect().toSeq == (0L until Records))
    val grouped = pairs.groupByKey(new HashPartitioner(3))
    val lengths = grouped.map(_._2.map(_.length.toLong).sum).collect()
    assert(lengths.sum == (0 until Records).map(_.toString.length * 20L).sum)
    assert(lengths.length == Records)
  }

  protected def assertEmpty(tiers: Seq[Tier]): Unit = {
    assert(tiers.nonEmpty)
    for (tier <- tiers) assert((tier.used, tier.files) == ((0L, 0L)), tier)
  }
}

object Scratchful {
  val Records = 10000
}
