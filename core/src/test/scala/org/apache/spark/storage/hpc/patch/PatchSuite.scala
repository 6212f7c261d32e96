package org.apache.spark.storage.hpc.patch

import org.apache.spark.{SecurityManager, SparkConf, SparkContext, SparkEnv, SparkException}
import org.apache.spark.storage.{AnotherManager, DiskBlockManager, StorageLevel}
import org.apache.spark.storage.hpc.disk.HpcDiskStore
import org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager
import org.apache.spark.storage.memory.hpc.HpcMemoryStore
import org.scalatest.funsuite.AnyFunSuite

class PatchSuite extends AnyFunSuite with AnotherManager {

  private def withContext[A](test: SparkContext => A): A = {
    val sc = new SparkContext(new SparkConf().setMaster("local[2]").setAppName("patch"))
    try test(sc)
    finally sc.stop()
  }

  test("Spark itself constructs our block manager and stores") {
    withContext { _ =>
      val manager = SparkEnv.get.blockManager
      assert(manager.getClass == classOf[HpcBlockManager])
      assert(manager.memoryStore.getClass == classOf[HpcMemoryStore])
      assert(manager.diskBlockManager.getClass == classOf[HpcDiskBlockManager])
      assert(manager.diskStore.getClass == classOf[HpcDiskStore])
    }
  }

  test("blocks go to memory and disk and come back through our stores") {
    withContext { sc =>
      val rdd = sc.parallelize(1 to 1000, 4).persist(StorageLevel.MEMORY_AND_DISK_SER)
      val onDisk = sc.parallelize(1 to 1000, 4).persist(StorageLevel.DISK_ONLY)
      for (_ <- 1 to 2) {
        assert(rdd.sum() == 500500.0)
        assert(onDisk.sum() == 500500.0)
      }
      assert(sc.getRDDStorageInfo.map(_.numCachedPartitions).sum == 8)
    }
  }

  test("the metric hpc.patchedComponents counts all four components") {
    withContext { sc =>
      val sources = sc.env.metricsSystem.getSourcesByName("hpc")
      val gauges = sources.map(_.metricRegistry.getGauges.get("patchedComponents").getValue)
      assert(gauges == Seq(4))
    }
  }

  test("a block manager starts where no Spark environment is set") {
    withContext { sc =>
      withAnother(sc.env) { other =>
        SparkEnv.set(null)
        try other.initialize("another")
        finally SparkEnv.set(sc.env)
        assert(other.blockManagerId.executorId == "another")
      }
    }
  }

  test("a block manager that isn't the environment's own doesn't count in its metrics") {
    withContext { sc =>
      withAnother(sc.env) { other =>
        other.initialize("another")
        assert(sc.env.metricsSystem.getSourcesByName("hpc").size == 1)
      }
    }
  }

  test("a patch that is in place only in part is one error that names what is missing") {
    val conf = new SparkConf().set("spark.app.id", "half")
    val stock = new DiskBlockManager(conf, deleteFilesOnStop = true, isDriver = true)
    try {
      val ours = new HpcDiskStore(conf, stock, new SecurityManager(conf))
      val half = new Patch(Seq(ours, stock))
      assert(half.patchedComponents == 1)
      val error = intercept[SparkException](half.requireWhole()).getMessage
      assert(error.contains("not patched: org.apache.spark.storage.DiskBlockManager"))
      assert(error.contains("spark.*.extraClassPath"))
      new Patch(Seq(ours)).requireWhole()
    } finally stock.stop()
  }

  test("another Spark version than the one that was patched is refused") {
    val error = intercept[SparkException](new Patch(Nil).requireWhole("3.4.0")).getMessage
    assert(
      error.contains("is made for Spark 3.5.5, 3.5.6, 3.5.7,")
    )
    assert(error.contains("Spark 3.4.0"))
  }
}
