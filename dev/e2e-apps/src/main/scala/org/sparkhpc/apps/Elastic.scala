package org.sparkhpc.apps

import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger

import scala.annotation.tailrec
import scala.collection.JavaConverters._

import org.apache.spark.SparkContext
import org.apache.spark.examples.hpc.StorageClasses
import org.apache.spark.rdd.RDD
import org.apache.spark.scheduler.{
  SparkListener,
  SparkListenerExecutorAdded,
  SparkListenerExecutorRemoved,
  SparkListenerTaskEnd
}

/** Works, rests until it has lost all its executors, and works again on what it had shuffled. */
object Elastic {

  def main(args: Array[String]): Unit = {
    val sc = SparkContext.getOrCreate()
    val events = new ConcurrentLinkedQueue[String]
    val maps = new AtomicInteger
    sc.addSparkListener(new SparkListener {
      override def onExecutorAdded(event: SparkListenerExecutorAdded): Unit =
        events.add(s"+${event.executorId}"): Unit
      override def onExecutorRemoved(event: SparkListenerExecutorRemoved): Unit =
        events.add(s"-${event.executorId}"): Unit
      override def onTaskEnd(event: SparkListenerTaskEnd): Unit =
        if (event.taskType == "ShuffleMapTask") maps.incrementAndGet(): Unit
    })
    try {
      awaitExecutors(sc, 0)
      val sums = sc.range(0, 1600, 1, 16)
        .mapPartitions { numbers =>
          Thread.sleep(500)
          numbers.map(n => (n % 5, n))
        }
        .reduceByKey(_ + _, 4)
      val gone = for (round <- Seq("first", "again")) yield {
        Report.line(round, work(sums))
        awaitAllGone(events)
      }
      Report.line("events", gone.last.mkString(" "))
      Report.line("maps", maps.get)
    } finally sc.stop()
  }

  /** The sums; who computed them is printed. */
  private def work(sums: RDD[(Long, Long)]): String = {
    val parts = sums.mapPartitions(rows => Iterator((StorageClasses.here().toString, rows.toList)))
      .collect()
    parts.map(_._1).distinct.foreach(println)
    parts.flatMap(_._2).sorted.mkString(" ")
  }

  /** All events, once each executor that was added is removed. */
  @tailrec
  private def awaitAllGone(events: ConcurrentLinkedQueue[String]): Seq[String] = {
    val seen = events.asScala.toList
    val (added, removed) = seen.partition(_.startsWith("+"))
    if (added.map(_.tail).toSet == removed.map(_.tail).toSet) seen
    else {
      Thread.sleep(100)
      awaitAllGone(events)
    }
  }

  @tailrec
  private def awaitExecutors(sc: SparkContext, count: Int): Unit =
    // The driver's block manager is one of them.
    if (sc.getExecutorMemoryStatus.size != count + 1) {
      Thread.sleep(100)
      awaitExecutors(sc, count)
    }
}
