package org.sparkhpc.apps

import java.util.concurrent.ConcurrentLinkedQueue

import scala.collection.JavaConverters._

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.scheduler.{SparkListener, SparkListenerBlockUpdated}
import org.apache.spark.storage.StorageLevel

/** Generations of cached blocks, each made from the two before it: `Generations ROUNDS LEVEL`.
  *
  * A block that is lost costs as many computations as there are ways back to what is there.
  */
object Generations {
  private val Blocks = 8
  private val Words = 12500

  def main(args: Array[String]): Unit = {
    val Array(rounds, level) = args
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
    try {
      run(sc, "", rounds.toInt, StorageLevel.fromString(level))
      Report.storageClasses(sc, 2)
    } finally sc.stop()
    // Now the listener has heard of all.
    updates.asScala.foreach(Report.line("update", _))
  }

  /** Says the sum of each generation, and how many blocks were computed.
    *
    * @param prefix of the names of what it says
    * @param after what happens after each round
    */
  private[apps] def run(
      sc: SparkContext,
      prefix: String,
      rounds: Int,
      level: StorageLevel,
      after: Int => Unit = _ => ()
  ): Unit = {
    val computed = sc.longAccumulator
    def generation(before: RDD[Array[Long]], last: RDD[Array[Long]]): RDD[Array[Long]] =
      before.zipPartitions(last) { (a, b) =>
        computed.add(1)
        Iterator(a.next().zip(b.next()).map { case (x, y) => x + y + 1 })
      }.persist(level)
    def start(value: Long): RDD[Array[Long]] =
      sc.range(0, Blocks.toLong, 1, Blocks).map(block => Array.fill(Words)(block + value))
    val last = (1 to rounds).foldLeft((start(0), start(1))) { case ((before, last), round) =>
      val next = generation(before, last)
      Report.line(s"${prefix}sum$round", next.map(_.sum).sum())
      after(round)
      (last, next)
    }
    Report.line(s"${prefix}last", last._2.map(_.sum).sum())
    Report.line(s"${prefix}computed", computed.value)
  }
}
