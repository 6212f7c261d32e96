package org.apache.spark.shuffle.hpc

import java.nio.file.Files
import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.BarrierTaskContext
import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.scalatest.funsuite.AnyFunSuite

/** Map outputs of barrier stages, whose tasks all run at once, and all again when one is lost. */
class BarrierShuffleSuite extends AnyFunSuite with ShuffleJobs {
  import BarrierShuffleSuite._
  import ShuffleJobs.manager

  private def settings(placement: String): Seq[(String, String)] = Seq(
    "spark.local.dir" -> shared.resolve("local").toString,
    "spark.hpc.shuffle.placement" -> placement,
    "spark.hpc.shuffle.directory" -> shared.resolve("spark").toString
  )

  private def assertOf(attempt: Int, grouped: RDD[(Int, Seq[(Int, Int)])]): Unit = {
    val all = (0 until Records).map(n => (n % 10, (n, attempt)))
    val wanted = all.groupBy(_._1).mapValues(_.map(_._2).sorted).toMap
    assert(grouped.mapValues(_.sorted).collect().toMap == wanted)
  }

  for (placement <- Seq("global", "fastest"))
    test(s"$placement: when one task fails, what another published before isn't read") {
      val mapTasks = new AtomicInteger
      withContext(settings(placement): _*) { sc =>
        sc.addSparkListener(counting(mapTasks))
        assertOf(attempt = 1, grouped(sc, isFailing = true))
        assert(manager.own.outputs.size > Maps)
        sc.listenerBus.waitUntilEmpty()
      }
      assert(mapTasks.get == 2 * Maps)
    }

  test("what is lost with a container is written by all tasks again") {
    val mapTasks = new AtomicInteger
    withContext(settings("global"): _*) { sc =>
      sc.addSparkListener(counting(mapTasks))
      val all = grouped(sc, isFailing = false)
      assertOf(attempt = 0, all)
      manager.files.forget(0)
      filesBelow(shared).filter(_.toString.endsWith(".container")).foreach(Files.delete)
      assertOf(attempt = 1, all)
      sc.listenerBus.waitUntilEmpty()
    }
    assert(mapTasks.get == 2 * Maps)
  }
}

private object BarrierShuffleSuite {
  private val Maps = 2
  private val Records = 200

  /** Records with the attempt of the stage that made them.
    *
    * @param isFailing whether in the first attempt one task fails, when the other has published its output
    */
  private def grouped(sc: SparkContext, isFailing: Boolean): RDD[(Int, Seq[(Int, Int)])] =
    sc.parallelize(0 until Records, Maps).barrier().mapPartitions { numbers =>
      val context = BarrierTaskContext.get()
      val attempt = context.stageAttemptNumber()
      context.barrier()
      if (isFailing && attempt == 0 && context.partitionId() == 1) {
        while (ShuffleJobs.manager.own.outputs.isEmpty) Thread.sleep(10)
        throw new IllegalStateException("as told")
      }
      numbers.map(n => (n % 10, (n, attempt)))
    }.groupByKey(3).mapValues(_.toSeq)
}
