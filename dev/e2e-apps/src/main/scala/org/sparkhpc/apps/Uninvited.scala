package org.sparkhpc.apps

import java.nio.file.{Files, Path, Paths}
import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.scheduler.{SparkListener, SparkListenerExecutorRemoved}

/** Caches RDDs in memory that has no room for them, and never asks for a disk: `Uninvited DIRECTORY`.
  *
  * It says `spilled`, waits for the file `frozen`, caches and unpersists more and says `went on`, waits for
  * the file `thawed`, and caches until something is spilled again.
  */
object Uninvited {
  private val Blocks = 50
  private val Words = 25000
  private val Rounds = 3

  def main(args: Array[String]): Unit = {
    val directory = Paths.get(args.head)
    val sc = SparkContext.getOrCreate()
    val lost = new AtomicInteger
    sc.addSparkListener(new SparkListener {
      override def onExecutorRemoved(event: SparkListenerExecutorRemoved): Unit =
        lost.incrementAndGet(): Unit
    })
    try {
      // Each of them is more than there is room for.
      val before = Seq.fill(2)(cached(sc))
      Report.line("before", before.map(sum))
      Report.line("spilled", before.map(spilled(sc, _)))
      await(directory, "frozen")
      for (round <- 1 to Rounds) {
        val more = cached(sc)
        Report.line(s"frozen.$round", sum(more))
        more.unpersist(blocking = true)
      }
      Report.line("reread", sum(before.head))
      // Has files on the disk.
      before.last.unpersist(blocking = true)
      Report.line("lost", lost.get)
      Report.line("went on", true)
      await(directory, "thawed")
      while ({
        val more = cached(sc)
        sum(more)
        val isDropped = spilled(sc, more) == 0
        more.unpersist(blocking = true)
        isDropped
      }) Thread.sleep(100)
      Report.line("again", true)
      Report.line("lost in all", lost.get)
      Report.storageClasses(sc, 2)
    } finally sc.stop()
  }

  /** The same numbers each time. */
  private def cached(sc: SparkContext): RDD[Array[Long]] =
    sc.range(0, Blocks.toLong, 1, Blocks).map(Array.fill(Words)(_)).cache()

  /** Of each block's first. */
  private def sum(rdd: RDD[Array[Long]]): Long = rdd.map(_.head).reduce(_ + _)

  private def spilled(sc: SparkContext, rdd: RDD[_]): Long =
    sc.getRDDStorageInfo.filter(_.id == rdd.id).map(_.diskSize).sum

  private def await(directory: Path, file: String): Unit =
    while (!Files.exists(directory.resolve(file))) Thread.sleep(100)
}
