package org.apache.spark.shuffle.hpc

import java.nio.file.Path

import org.apache.spark.{SparkConf, SparkContext, SparkEnv}
import org.apache.spark.shuffle.hpc.place.SharedDirectory
import org.apache.spark.shuffle.sort.SortShuffleManager
import org.scalatest.funsuite.AnyFunSuite

/** Applications one after the other in one process, each made from the settings of the one before. */
class ReusedSettingsSuite extends AnyFunSuite with ShuffleJobs {

  private def root: Path = shared.resolve("spark")

  private def global: Seq[(String, String)] = Seq(
    "spark.hpc.shuffle.placement" -> "global",
    "spark.hpc.shuffle.directory" -> root.toString,
    "spark.shuffle.service.enabled" -> "true",
    "spark.dynamicAllocation.shuffleTracking.enabled" -> "true"
  )

  private def fastest: Seq[(String, String)] = Seq("spark.plugins" -> "")

  private val kinds = Seq[(String, () => Seq[(String, String)])](
    "containers" -> (() => fastest),
    "outputs on the shared file system" -> (() => global)
  )

  private val decommissioned = Seq(
    "spark.decommission.enabled",
    "spark.storage.decommission.enabled",
    "spark.storage.decommission.shuffleBlocks.enabled"
  )

  /** An application that is made as a user's next one is. */
  private def next[A](conf: SparkConf)(test: SparkContext => A): A = {
    val sc = new SparkContext(conf)
    try test(sc)
    finally sc.stop()
  }

  /** What the program finds when it asks for its settings, as it does for the next application. */
  private def settings(written: Seq[(String, String)]): SparkConf =
    withContext(written: _*) { sc =>
      assert(results(sc) == expected)
      sc.getConf
    }

  private def directories: Seq[Path] = filesBelow(shared).filter(_.endsWith("token"))
    .map(_.getParent)

  for ((what, written) <- kinds)
    test(s"after one with $what another runs Spark's own shuffle") {
      val conf = settings(written()).set("spark.shuffle.manager", "sort")
        .remove("spark.hpc.shuffle.placement").set("spark.shuffle.service.enabled", "false")
      next(conf) { sc =>
        assert(SparkEnv.get.shuffleManager.getClass == classOf[SortShuffleManager])
        assert(results(sc) == expected)
      }
    }

  for ((what, written) <- kinds)
    test(s"copies and lists of settings are as the user wrote them, with $what") {
      withContext(written(): _*) { sc =>
        // As a program in Scala, one in Python and a checkpoint of a stream find them.
        for (found <- Seq(sc.getConf.getAll.toMap, sc.conf.getAll.toMap)) {
          for ((key, value) <- written()) assert(found.get(key).contains(value))
          assert(!found.values.exists(_.contains("org.apache.spark.shuffle.hpc")), found)
          assert(!found.values.exists(_.contains("HpcPlugin")), found)
          assert(!found.keys.exists(_.startsWith("spark.shuffle.plugin.__config__.")), found)
          assert(!found.keys.exists(_.startsWith("spark.plugins.internal.")), found)
        }
      }
    }

  test("each of two has a directory of its own, and removes it") {
    val written = global
    val (conf, first) = withContext(written: _*) { sc =>
      assert(results(sc) == expected)
      (sc.getConf, directories)
    }
    assert(first.size == 1 && directories.isEmpty)
    val second = next(conf) { sc =>
      assert(results(sc) == expected)
      directories
    }
    assert(second.size == 1 && second != first && directories.isEmpty)
  }

  test("one without a shared directory doesn't take that of the one before") {
    val conf = settings(global ++ decommissioned.map(_ -> "true"))
      .set("spark.hpc.shuffle.placement", "fastest")
      .set("spark.shuffle.service.enabled", "false")
      .set("spark.local.dir", shared.resolve("local").toString)
    next(conf) { sc =>
      assert(SharedDirectory.path(sc.conf).isEmpty)
      assert(results(sc) == expected)
    }
  }
}
