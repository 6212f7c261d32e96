package org.sparkhpc.apps

import java.util.concurrent.ConcurrentLinkedQueue

import scala.collection.JavaConverters._

import org.apache.spark.{SparkContext, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.scheduler.{SparkListener, SparkListenerBlockUpdated}
import org.apache.spark.storage.StorageLevel

/** Generations of cached blocks, each made from the two before it: `Generations ROUNDS LEVEL
  * [HALT]`.
  *
  * A block that is lost costs as many computations as there are ways back to what is there. With
  * HALT, one executor ends in the middle.
  */
object Generations {
  private val Blocks = 8
  private val Words = 12500

  def main(args: Array[String]): Unit = {
    val Array(rounds, level) = args.take(2)
    val halting = args.length > 2
    val sc = SparkContext.getOrCreate()
    val updates = new ConcurrentLinkedQueue[String]
    sc.addSparkListener(new SparkListener {
      override def onBlockUpdated(event: SparkListenerBlockUpdated): Unit = {
        val info = event.blockUpdatedInfo
        if (info.blockId.isRDD) {
          val size = s"${info.memSize} ${info.diskSize}"
          updates.add(s"${info.blockId} ${info.storageLevel} $size"): Unit
        }
      }
    })
    val computed = sc.longAccumulator
    def generation(before: RDD[Array[Long]], last: RDD[Array[Long]]): RDD[Array[Long]] =
      before.zipPartitions(last) { (a, b) =>
        computed.add(1)
        Iterator(a.next().zip(b.next()).map { case (x, y) => x + y + 1 })
      }.persist(StorageLevel.fromString(level))
    def start(value: Long): RDD[Array[Long]] =
      sc.range(0, Blocks.toLong, 1, Blocks).map(block => Array.fill(Words)(block + value))
    try {
      val last =
        (1 to rounds.toInt).foldLeft((start(0), start(1))) { case ((before, last), round) =>
          val next = generation(before, last)
          Report.line(s"sum$round", next.map(_.sum).sum())
          if (halting && round == rounds.toInt / 2) {
            sc.range(0, 2, 1, 2).foreach { part =>
              if (part == 0 && TaskContext.get().attemptNumber() == 0) Runtime.getRuntime.halt(137)
            }
          }
          (last, next)
        }
      Report.line("last", last._2.map(_.sum).sum())
      Report.line("computed", computed.value)
      Report.storageClasses(sc, 2)
    } finally sc.stop()
    // Now the listener has heard of all.
    updates.asScala.foreach(Report.line("update", _))
  }
}
