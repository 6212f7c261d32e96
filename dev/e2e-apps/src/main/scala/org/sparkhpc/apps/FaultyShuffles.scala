package org.sparkhpc.apps

import java.util.concurrent.atomic.AtomicInteger

import scala.util.Try

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.scheduler.{SparkListener, SparkListenerTaskEnd}

/** Shuffles once for each fault of a file system: `FaultyShuffles TESTBED BASE APPLICATION...`.
  *
  * An application is `KEY=VALUE KEY=VALUE;FAULT;FAULT`: its settings, and its faults one after the other.
  * A fault is `NAME WHEN COMMAND`: the words of a command to the testbed, in `map` before the map stage,
  * or `between` that and the reduce stage. The faults are cleared after each.
  */
object FaultyShuffles {
  private val Parts = 8

  def main(args: Array[String]): Unit = {
    val Array(testbed, base) = args.take(2)
    val fs = new Testbed(testbed, base)
    for (application <- args.drop(2)) {
      val settings +: faults = application.split(';').toSeq
      val sc = new SparkContext(new SparkConf().setAll(Settings.of(settings.split(' ').toSeq)))
      try {
        val shuffles = new Shuffles(sc, fs)
        faults.foreach(shuffles.withFault(_))
      } finally sc.stop()
    }
  }

  private final class Shuffles(sc: SparkContext, fs: Testbed) {
    private val mapTasks = new AtomicInteger

    sc.addSparkListener(new SparkListener {
      override def onTaskEnd(event: SparkListenerTaskEnd): Unit =
        if (event.taskType == "ShuffleMapTask") mapTasks.incrementAndGet(): Unit
    })

    def withFault(fault: String): Unit = {
      val name :: when :: command = fault.split(' ').toList
      val before = mapTasks.get
      val grouped = sc.range(0, 16000, 1, Parts).map(n => (n % 100, n)).groupByKey(Parts)
      val sums = grouped.mapValues(_.sum)
      val result = Try {
        if (when == "map") fs.tell(command)
        else {
          grouped.count()
          fs.tell(command)
        }
        sums.collect().sorted.mkString(" ")
      }
      fs.tell(Seq("clear"))
      Report.line(s"$name.sums", result.getOrElse("none"))
      Report.line(s"$name.maps", mapTasks.get - before)
      for (failure <- result.failed)
        Report.line(s"$name.failure", failure.toString.linesIterator.next())
    }
  }
}
