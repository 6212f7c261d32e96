package org.apache.spark.shuffle.hpc.loss

import java.io.File
import java.nio.file.{Files, Path}
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger

import scala.collection.JavaConverters._
import scala.collection.mutable.ArrayBuffer
import scala.concurrent.Await

import org.apache.spark.{MapOutputTrackerMaster, Partition, SparkContext, SparkEnv, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.shuffle.MovedOutputs
import org.apache.spark.shuffle.hpc.ShuffleJobs
import org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager
import org.scalatest.concurrent.Eventually._
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._
import org.sparkhpc.tier.Tier

/** Real map outputs that are moved from an executor's own scratch to a directory that outlives it. */
class EvacuationSuite extends AnyFunSuite with ShuffleJobs {
  import ShuffleJobs.manager

  private val Maps = 8

  private val decommissioning = Seq(
    "spark.decommission.enabled" -> "true",
    "spark.storage.decommission.enabled" -> "true"
  )

  /** A context with a tier of its own, which takes so much, and one that is proven to be global. */
  private def withTiers(capacity: String, settings: (String, String)*)(
      test: SparkContext => Unit
  ): Unit = {
    val Seq(fast, global) = Seq("fast", "global").map(shared.resolve(_))
    Seq(fast, global).foreach(Files.createDirectories(_))
    val tiers = "spark.hpc.scratch.tiers" -> s"local:$fast?capacity=$capacity,global:$global"
    withContext((decommissioning :+ tiers) ++ settings: _*) { sc =>
      // As an executor of this driver proves it.
      globalTier.forAll = Some(new File(globalTier.directory, "of-executor"))
      test(sc)
    }
  }

  private def globalTier: Tier =
    SparkEnv.get.blockManager.diskBlockManager.asInstanceOf[HpcDiskBlockManager].sharedTiers.head

  private def tracker: MapOutputTrackerMaster =
    SparkEnv.get.mapOutputTracker.asInstanceOf[MapOutputTrackerMaster]

  private def grouped(sc: SparkContext) =
    sc.range(0, 20000, 1, Maps).map(n => (n % 50, n)).groupByKey(3).mapValues(_.toSeq.sorted)

  private def containers(below: Path): Seq[Path] = {
    val all = Files.walk(below)
    try all.iterator().asScala.filter(_.toString.endsWith(".container")).toList
    finally all.close()
  }

  /** Those of the executor's own, which go with it. */
  private def deleteOwn(): Unit = {
    val own = manager.own.outputs.flatMap { case (shuffle, mapTaskId) =>
      manager.own.containerOf(shuffle, mapTaskId).map(_.file.path)
    }
    assert(own.nonEmpty)
    own.distinct.foreach(Files.delete(_))
    SparkEnv.get.mapOutputTracker.asInstanceOf[MapOutputTrackerMaster]
      .shuffleStatuses.keys.foreach(manager.files.forget(_))
  }

  private def moved: Long = manager.counts.evacuatedOutputs.getCount

  private def isMoved(location: String): Boolean = location.startsWith("hpc:driver:")

  for ((what, settings) <- ways)
    test(
      s"what was moved is read when the executor's own is gone, and nothing is run again: $what"
    ) {
      val tasks = new AtomicInteger
      withTiers("1g", settings: _*) { sc =>
        sc.addSparkListener(counting(tasks))
        val groups = grouped(sc)
        val before = groups.collect().toSeq.sortBy(_._1)
        assert(locations == Seq.fill(Maps)("driver"))
        assert(manager.evacuate())
        assert(locations.size == Maps && locations.forall(isMoved))
        assert(moved == Maps && manager.counts.evacuatedBytes.getCount > 0)
        assert(containers(globalTier.directory.toPath).size == 1)
        deleteOwn()
        assert(groups.collect().toSeq.sortBy(_._1) == before)
        assert(manager.counts.directBlocks.getCount > 0)
      }
      assert(tasks.get == Maps)
    }

  test("what lies in the global tier already gets a second name, and isn't copied") {
    withTiers("100k") { sc =>
      val groups = grouped(sc)
      val before = groups.collect().toSeq.sortBy(_._1)
      assert(manager.evacuate())
      assert(locations.forall(isMoved) && moved == Maps)
      assert(manager.counts.evacuatedBytes.getCount == 0)
      deleteOwn()
      assert(groups.collect().toSeq.sortBy(_._1) == before)
    }
  }

  test("where outputs have to be on the device they are copied in any case") {
    withTiers("100k", "spark.hpc.shuffle.durability" -> "node") { sc =>
      assert(grouped(sc).count() == 50)
      assert(manager.evacuate())
      assert(locations.forall(isMoved) && manager.counts.evacuatedBytes.getCount > 0)
    }
  }

  test("Spark's decommissioning moves them, and what came since, and needs nobody else") {
    withTiers("1g") { sc =>
      val manager = SparkEnv.get.blockManager
      val groups = grouped(sc)
      assert(groups.count() == 50)
      manager.decommissionSelf()
      eventually(timeout(60.seconds))(assert(locations.forall(isMoved)))
      // As of a task that was under way.
      assert(grouped(sc).count() == 50)
      assert(!locations.forall(isMoved))
      eventually(timeout(60.seconds))(assert(manager.lastMigrationInfo()._2))
      assert(locations.size == 2 * Maps && locations.forall(isMoved))
      assert(groups.count() == 50)
    }
  }

  test("a damaged output stays with its executor, and is sent by Spark") {
    withTiers("1g") { sc =>
      assert(grouped(sc).count() == 50)
      val Seq(container) = manager.own.outputs.flatMap { case (shuffle, mapTaskId) =>
        manager.own.containerOf(shuffle, mapTaskId).map(_.file.path)
      }.distinct
      change(container.toFile, container.toFile.length - 6)
      assert(manager.evacuate())
      assert(moved == Maps - 1 && locations.count(isMoved) == Maps - 1)
      val stored = manager.shuffleBlockResolver.getStoredShuffles()
      assert(stored.size == 1)
      assert(locationOf(stored.head.mapId) == "driver")
      // It isn't tried again.
      assert(manager.evacuate() && moved == Maps - 1)
    }
  }

  private def locationOf(mapTaskId: Long): String =
    tracker.shuffleStatuses.values.flatMap(_.getMapStatus(mapTaskId)).head.location.executorId

  test("where the global tier takes nothing all is as if there were none") {
    withTiers("1g") { sc =>
      val groups = grouped(sc)
      assert(groups.count() == 50)
      val tier = globalTier.directory.toPath
      Files.move(tier, tier.resolveSibling("elsewhere"))
      try {
        assert(manager.evacuate())
        assert(moved == 0 && locations.forall(_ == "driver"))
        assert(manager.shuffleBlockResolver.getStoredShuffles().size == Maps)
      } finally Files.move(tier.resolveSibling("elsewhere"), tier): Unit
      // Nor is it asked each second whether it does now.
      assert(manager.evacuate() && moved == 0)
      assert(groups.count() == 50)
    }
  }

  test("without a tier that is proven, or if Spark isn't to save map outputs, none is moved") {
    withTiers("1g") { sc =>
      globalTier.forAll = None
      assert(grouped(sc).count() == 50)
      assert(manager.evacuate() && moved == 0)
      assert(manager.shuffleBlockResolver.getStoredShuffles().size == Maps)
    }
    withTiers("1g", "spark.storage.decommission.shuffleBlocks.enabled" -> "false") { sc =>
      assert(grouped(sc).count() == 50)
      assert(manager.evacuate() && moved == 0)
    }
  }

  test("moved outputs are removed with their shuffle, and with the application") {
    withTiers("1g") { sc =>
      assert(grouped(sc).count() == 50)
      assert(manager.evacuate())
      assert(containers(globalTier.directory.toPath).nonEmpty)
      cleanUp(sc)
      assert(containers(globalTier.directory.toPath).isEmpty)
      assert(grouped(sc).count() == 50)
      assert(manager.evacuate())
      assert(containers(globalTier.directory.toPath).nonEmpty)
    }
    assert(Files.list(shared.resolve("global")).count() == 0)
  }

  test(
    "what is moved of a shuffle that is removed meanwhile is deleted when the driver hears of it"
  ) {
    withTiers("1g") { sc =>
      assert(grouped(sc).count() == 50)
      tracker.unregisterShuffle(0)
      assert(manager.evacuate())
      assert(moved == Maps && containers(globalTier.directory.toPath).isEmpty)
    }
  }

  test("an output of an attempt that doesn't count any more isn't brought back") {
    withTiers("1g") { sc =>
      assert(grouped(sc).count() == 50)
      tracker.unregisterAllMapAndMergeOutput(0)
      // It might be known a second later.
      assert(!manager.evacuate())
      assert(manager.evacuate())
      assert(tracker.findMissingPartitions(0).get.size == Maps)
    }
  }

  test("outputs that are moved before the driver's scheduler hears of their tasks aren't lost") {
    withTiers("1g") { sc =>
      HeldScheduler.isHeld = new CountDownLatch(1)
      HeldScheduler.release = new CountDownLatch(1)
      val slow = sc.range(0, 20000, 1, Maps).mapPartitions { numbers =>
        HeldScheduler.isHeld.await()
        numbers.map(n => (n % 50, n))
      }
      val groups = slow.groupByKey(3).countAsync()
      val holding = new HeldScheduler(sc).countAsync()
      eventually(timeout(60.seconds))(assert(manager.own.outputs.size == Maps))
      assert(tracker.shuffleStatuses.values.forall(_.numAvailableMapOutputs == 0))
      assert(!manager.evacuate())
      // Spark's own threads of a decommissioning ask as well, just afterwards, and tell the driver nothing.
      SparkEnv.get.blockManager.decommissionSelf()
      manager.shuffleBlockResolver.getStoredShuffles()
      assert(manager.evacuate())
      HeldScheduler.release.countDown()
      assert(Await.result(groups, 60.seconds) == 50 && Await.result(holding, 60.seconds) == 0)
      assert(locations.size == Maps && locations.forall(isMoved))
    }
  }

  test("an output that is published while others are moved isn't sent by Spark, but moved next") {
    // Spark's own threads look once, when there is nothing yet.
    val rarely = "spark.storage.decommission.replicationReattemptInterval" -> "1h"
    withTiers("1g", rarely) { sc =>
      val blockManager = SparkEnv.get.blockManager
      blockManager.decommissionSelf()
      eventually(timeout(60.seconds))(assert(blockManager.lastMigrationInfo()._2))
      assert(grouped(sc).count() == 50)
      val tell = manager.tellDriver
      manager.tellDriver = { moved =>
        manager.tellDriver = tell
        // As of the task in which the executor learned that it has to go.
        assert(grouped(sc).count() == 50)
        tell(moved)
      }
      val stored = () => manager.shuffleBlockResolver.getStoredShuffles()
      assert(stored().isEmpty && locations.count(isMoved) == Maps)
      assert(stored().isEmpty && locations.count(isMoved) == 2 * Maps)
    }
  }

  test("executors ask for the new places, since the epoch is another one") {
    withTiers("1g") { sc =>
      assert(grouped(sc).count() == 50)
      val before = tracker.getEpoch
      assert(manager.evacuate())
      assert(tracker.getEpoch == before + 1)
      // Nothing was moved since.
      assert(manager.evacuate())
      assert(tracker.getEpoch == before + 1)
    }
  }

  test("what the driver doesn't know is told once more; one that doesn't answer ends it") {
    withTiers("1g") { sc =>
      assert(grouped(sc).count() == 50)
      val told = new ArrayBuffer[Int]
      manager.tellDriver = { moved =>
        told += moved.outputs.size
        moved.outputs
      }
      assert(!manager.evacuate())
      assert(manager.evacuate() && manager.evacuate())
      assert(told == Seq(Maps, Maps))

      assert(grouped(sc).count() == 50)
      manager.tellDriver = (_: MovedOutputs) => throw new IllegalStateException("as told")
      assert(manager.evacuate())
      assert(manager.shuffleBlockResolver.getStoredShuffles().size == Maps)
    }
  }

  test("the driver is told of some at a time; what it wasn't told when that ended stays") {
    withTiers("1g") { sc =>
      assert(sc.range(0, 300, 1, 300).map(n => (n % 3, n)).groupByKey(2).count() == 3)
      val tell = manager.tellDriver
      val times = new AtomicInteger
      manager.tellDriver = { moved =>
        if (times.incrementAndGet() == 3) throw new IllegalStateException("killed")
        tell(moved)
      }
      assert(manager.evacuate())
      assert(locations.size == 300 && locations.count(isMoved) == 2 * 128)
      assert(manager.shuffleBlockResolver.getStoredShuffles().size == 300 - 2 * 128)
    }
  }
}

/** Whoever counts it holds up the thread of the driver's scheduler that hears of ended tasks. */
private final class HeldScheduler(sc: SparkContext) extends RDD[Int](sc, Nil) {
  override protected def getPartitions: Array[Partition] = Array(new Partition {
    override def index: Int = 0
  })

  override protected def getPreferredLocations(split: Partition): Seq[String] = {
    HeldScheduler.isHeld.countDown()
    HeldScheduler.release.await()
    Nil
  }

  override def compute(split: Partition, context: TaskContext): Iterator[Int] = Iterator.empty
}

private object HeldScheduler {
  @volatile var isHeld, release: CountDownLatch = _
}
