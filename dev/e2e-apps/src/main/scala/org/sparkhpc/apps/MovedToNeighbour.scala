package org.sparkhpc.apps

import java.util.concurrent.{CountDownLatch, TimeUnit}
import java.util.concurrent.atomic.AtomicInteger

import scala.collection.JavaConverters._

import org.apache.spark.{FetchFailed, SparkContext, SparkEnv}
import org.apache.spark.scheduler.{
  SparkListener,
  SparkListenerExecutorRemoved,
  SparkListenerTaskEnd
}

/** Decommissions the only executor that has a map output, of three on this node, and has the others read it:
  * one of them received it, and had none of this shuffle before.
  */
object MovedToNeighbour {
  private val Seconds = 120L

  def main(args: Array[String]): Unit = {
    val sc = SparkContext.getOrCreate()
    val removed = new CountDownLatch(1)
    val failedFetches = new AtomicInteger
    sc.addSparkListener(new SparkListener {
      override def onExecutorRemoved(event: SparkListenerExecutorRemoved): Unit =
        removed.countDown()

      override def onTaskEnd(task: SparkListenerTaskEnd): Unit =
        if (task.reason.isInstanceOf[FetchFailed]) failedFetches.incrementAndGet(): Unit
    })
    try {
      Report.storageClasses(sc, 3)
      // Each reducer waits, so that both executors that are left have some.
      val mapped = sc.collectionAccumulator[String]
      val pairs = sc.range(0, 1000, 1, 1).mapPartitions { values =>
        mapped.add(SparkEnv.get.executorId)
        values.map(n => (n % 8, n))
      }
      val sums = pairs.reduceByKey(_ + _, 8).map { pair =>
        Thread.sleep(300)
        pair
      }
      Report.line("first", sums.collect().sorted.mkString(" "))
      val maps = mapped.value.asScala.toSet
      sc.range(0, 24, 1, 24).foreach { _ =>
        Thread.sleep(100)
        if (maps(SparkEnv.get.executorId)) Decommissioning.begin()
      }
      if (!removed.await(Seconds, TimeUnit.SECONDS)) {
        throw new IllegalStateException(s"no executor was removed within $Seconds s")
      }
      Report.line("again", sums.collect().sorted.mkString(" "))
      Report.line("maps", mapped.value.size)
    } finally sc.stop()
    // Now the listener has heard of all.
    Report.line("failedFetches", failedFetches.get)
  }
}
