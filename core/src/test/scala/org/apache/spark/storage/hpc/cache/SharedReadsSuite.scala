package org.apache.spark.storage.hpc.cache

import java.io.RandomAccessFile
import java.nio.file.{Files, Path, Paths}

import org.apache.spark.{HashPartitioner, SparkContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.storage.{RDDBlockId, Scratchful, StorageLevel}
import org.apache.spark.storage.hpc.patch.HpcBlockManager
import org.apache.spark.util.LongAccumulator
import org.scalatest.funsuite.AnyFunSuite

/** Cached blocks in a global tier, of executors that are gone. */
class SharedReadsSuite extends AnyFunSuite with Scratchful {
  import SharedReadsSuite._

  private def manager(sc: SparkContext): HpcBlockManager =
    sc.env.blockManager.asInstanceOf[HpcBlockManager]

  private def placesOf(sc: SparkContext, cached: Cached): Seq[SharedBlock] =
    (0 until Parts).flatMap(i => manager(sc).cache.shared.get.of(RDDBlockId(cached.rdd.id, i)))

  private def inGlobalTier(encrypted: Boolean)(test: (SparkContext, Path) => Unit): Unit =
    below { folder =>
      val setting = "spark.io.encryption.enabled" -> encrypted.toString
      withContext(s"global:$folder/a", setting) { sc =>
        // What the proof gives an executor.
        val forAll = Files.createDirectory(folder.resolve("all"))
        tiers(sc).home.forAll = Some(forAll.toFile)
        test(sc, forAll)
      }
    }

  /** An RDD that wasn't computed here, and whose blocks executor 7 has left. */
  private def left(sc: SparkContext, written: Cached): Cached = {
    val lost = new Cached(sc)
    for (block <- placesOf(sc, written)) {
      val id = RDDBlockId(lost.rdd.id, block.blockId.splitIndex)
      val file = Files.copy(Paths.get(block.path), Paths.get(block.path).resolveSibling(id.name))
      manager(sc).cache.shared.get.add(SharedBlock(id, "7", file.toString, block.content))
    }
    lost
  }

  for (encrypted <- Seq(false, true))
    test(s"others read what an executor wrote there, and compute nothing (encrypted: $encrypted)") {
      inGlobalTier(encrypted) { (sc, forAll) =>
        val written = new Cached(sc)
        written.assertRight()
        assert(filesIn(forAll).map(_.getPath).toSet == placesOf(sc, written).map(_.path).toSet)
        assert(blocks(sc).getAllBlocks().count(_.isRDD) == Parts)

        val lost = left(sc, written)
        for (_ <- 1 to 2) lost.assertRight()
        assert(lost.computed == 0 && manager(sc).cache.readOfOthers.getCount == 2 * Parts)

        for (cached <- Seq(written, lost)) cached.rdd.unpersist(blocking = true)
        assert(filesIn(forAll).isEmpty && placesOf(sc, written) ++ placesOf(sc, lost) == Nil)
        assertEmpty(tiers(sc).all)
      }
    }

  test("what isn't there as it was written is forgotten, and computed again") {
    inGlobalTier(encrypted = false) { (sc, _) =>
      val written = new Cached(sc)
      written.assertRight()
      val lost = left(sc, written)
      val Seq(cut, gone) = placesOf(sc, lost)
      val file = new RandomAccessFile(cut.path, "rw")
      try file.setLength(file.length - 1)
      finally file.close()
      Files.delete(Paths.get(gone.path))
      lost.assertRight()
      assert(lost.computed == Records)
      assert(placesOf(sc, lost).map(_.executor) == Seq.fill(Parts)(SparkContext.DRIVER_IDENTIFIER))
    }
  }

  test("a tier that isn't proven shares nothing") {
    below { folder =>
      withContext(s"global:$folder/a") { sc =>
        val cached = new Cached(sc)
        cached.assertRight()
        assert(placesOf(sc, cached).isEmpty)
      }
    }
  }
}

object SharedReadsSuite {
  private val Parts = 2
  private val Records = 100L

  /** An RDD behind a shuffle. */
  private final class Cached(sc: SparkContext) {
    private val count = sc.longAccumulator
    val rdd: RDD[(Long, Long)] = shuffled(sc, count)

    def computed: Long = count.value

    def assertRight(): Unit = assert(rdd.values.sum() == Records * (Records - 1) / 2)
  }

  private def shuffled(sc: SparkContext, count: LongAccumulator): RDD[(Long, Long)] =
    sc.range(0, Records, 1, Parts)
      .map { n =>
        count.add(1)
        (n, n)
      }
      .partitionBy(new HashPartitioner(Parts))
      .persist(StorageLevel.DISK_ONLY)
}
