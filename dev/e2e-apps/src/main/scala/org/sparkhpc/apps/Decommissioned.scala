package org.sparkhpc.apps

import java.util.concurrent.{CountDownLatch, TimeUnit}

import org.apache.spark.{SparkContext, SparkEnv}
import org.apache.spark.scheduler.{SparkListener, SparkListenerExecutorRemoved}

/** Caches more than fits on two executors, decommissions the first, as a node's manager does it, and
  * reads what was cached again.
  */
object Decommissioned {
  private val Blocks = 96
  private val Words = 12500
  private val Seconds = 120L

  def main(args: Array[String]): Unit = {
    val sc = SparkContext.getOrCreate()
    val removed = new CountDownLatch(1)
    sc.addSparkListener(new SparkListener {
      override def onExecutorRemoved(event: SparkListenerExecutorRemoved): Unit =
        if (event.executorId == "0") removed.countDown()
    })
    try {
      Report.storageClasses(sc, 2)
      val computed = sc.longAccumulator
      val cached = sc.range(0, Blocks.toLong, 1, Blocks).map { block =>
        computed.add(1)
        Array.fill(Words)(block)
      }.cache()
      Report.line("first", cached.map(_.sum).sum())
      Report.line("inMemory", sc.getRDDStorageInfo.map(_.memSize).sum)
      Report.line("onDisk", sc.getRDDStorageInfo.map(_.diskSize).sum)
      sc.range(0, Blocks.toLong, 1, Blocks).foreach { _ =>
        Thread.sleep(20)
        if (SparkEnv.get.executorId == "0") Decommissioning.begin()
      }
      if (!removed.await(Seconds, TimeUnit.SECONDS)) {
        throw new IllegalStateException(s"executor 0 is still there after $Seconds s")
      }
      Report.line("again", cached.map(_.sum).sum())
      Report.line("computed", computed.value)
    } finally sc.stop()
  }
}
