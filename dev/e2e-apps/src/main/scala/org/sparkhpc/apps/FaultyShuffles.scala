package org.sparkhpc.apps

import java.util.concurrent.atomic.AtomicInteger

import scala.util.Try

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.{SparkListener, SparkListenerTaskEnd}

/** Shuffles once for each fault of an emulated file system: `FaultyShuffles TESTBED BASE FAULT...`.
  *
  * A fault is `NAME WHEN COMMAND`: the words of a command to the testbed, in `map` before the map stage,
  * or `between` that and the reduce stage. The faults are cleared after each.
  */
object FaultyShuffles {
  private val Parts = 8

  def main(args: Array[String]): Unit = {
    val Array(testbed, base) = args.take(2)
    val sc = SparkContext.getOrCreate()
    val mapTasks = new AtomicInteger
    sc.addSparkListener(new SparkListener {
      override def onTaskEnd(event: SparkListenerTaskEnd): Unit =
        if (event.taskType == "ShuffleMapTask") mapTasks.incrementAndGet(): Unit
    })
    def tell(words: Seq[String]): Unit = {
      val command = Seq(testbed, "pfs", words.head, "--base", base) ++ words.tail
      val exit = new ProcessBuilder(command: _*).inheritIO().start().waitFor()
      if (exit != 0) throw new IllegalStateException(s"${command.mkString(" ")}: exit $exit")
    }
    try
      for (fault <- args.drop(2)) {
        val name :: when :: command = fault.split(' ').toList
        val before = mapTasks.get
        val grouped = sc.range(0, 16000, 1, Parts).map(n => (n % 100, n)).groupByKey(Parts)
        val sums = grouped.mapValues(_.sum)
        val result = Try {
          if (when == "map") tell(command)
          else {
            grouped.count()
            tell(command)
          }
          sums.collect().sorted.mkString(" ")
        }
        tell(Seq("clear"))
        Report.line(s"$name.sums", result.getOrElse("none"))
        Report.line(s"$name.maps", mapTasks.get - before)
        for (failure <- result.failed)
          Report.line(s"$name.failure", failure.toString.linesIterator.next())
      }
    finally sc.stop()
  }
}
