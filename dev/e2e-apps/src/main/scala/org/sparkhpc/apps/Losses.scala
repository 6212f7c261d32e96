package org.sparkhpc.apps

import java.lang.management.ManagementFactory
import java.nio.file.{FileAlreadyExistsException, Files, Path, Paths}
import java.util.concurrent.atomic.AtomicInteger

import scala.collection.JavaConverters._

import org.apache.spark.{SparkContext, Success, TaskContext}
import org.apache.spark.scheduler.{
  SparkListener,
  SparkListenerNodeExcluded,
  SparkListenerNodeExcludedForStage,
  SparkListenerTaskEnd
}

/** Shuffles, and loses something on the way: `Losses WHEN WHAT DIRECTORY`.
  *
  * WHEN is `map`, `between` or `reduce`: in the map stage, after it, in the reduce stage. WHAT is
  * `executor`, killed; `worker`, killed with its executor; `file`, a map output's data cut short; or
  * `nothing`. DIRECTORY is where map outputs are, and where it is noted that the loss has happened.
  */
object Losses {
  private val Parts = 16
  private val Keys = 100

  def main(args: Array[String]): Unit = {
    val Array(when, what, directory) = args
    val loss = new Loss(when, what, directory)
    val sc = SparkContext.getOrCreate()
    val maps, excluded = new AtomicInteger
    sc.addSparkListener(new SparkListener {
      override def onTaskEnd(event: SparkListenerTaskEnd): Unit =
        if (event.taskType == "ShuffleMapTask" && event.reason == Success) {
          maps.incrementAndGet(): Unit
        }
      override def onNodeExcluded(event: SparkListenerNodeExcluded): Unit =
        excluded.incrementAndGet(): Unit
      override def onNodeExcludedForStage(event: SparkListenerNodeExcludedForStage): Unit =
        excluded.incrementAndGet(): Unit
    })
    try {
      Report.storageClasses(sc, 2)
      val grouped = sc.range(0, 16000, 1, Parts)
        .mapPartitionsWithIndex { (part, numbers) =>
          if (part == Parts / 2) loss.in("map")
          Thread.sleep(50)
          numbers.map(n => (n % Keys, n))
        }
        .groupByKey(Parts)
      val sums = grouped.mapPartitionsWithIndex { (part, groups) =>
        if (part == Parts / 2) loss.in("reduce")
        groups.map { case (key, numbers) => (key, numbers.sum) }
      }
      if (when == "between") {
        Report.line("first", grouped.count())
        sc.range(0, Parts.toLong, 1, Parts).foreach { part =>
          if (part == Parts / 2) loss.in("between")
        }
      }
      Report.line("sums", sums.collect().sorted.mkString(" "))
      Report.line("outputs", Loss.outputs(Paths.get(directory)).size)
      // Events come after the results that they tell of.
      Thread.sleep(1000)
      Report.line("maps", maps.get)
      Report.line("excluded", excluded.get)
    } finally sc.stop()
  }

  /** It happens once, in the task that first comes to it. */
  private class Loss(when: String, what: String, directory: String) extends Serializable {

    def in(stage: String): Unit = if (stage == when && isFirst) {
      what match {
        case "executor" => kill(Seq(own))
        case "worker" => kill(Seq(parentOf(own), own))
        case "file" => cut(Loss.outputs(Paths.get(directory)).head)
        case "nothing" =>
      }
    }

    private def isFirst: Boolean =
      try {
        Files.createFile(Paths.get(directory).resolve("lost"))
        true
      } catch { case _: FileAlreadyExistsException => false }

    private def own: String = ManagementFactory.getRuntimeMXBean.getName.takeWhile(_ != '@')

    /** As in proc(5), where a name in parentheses stands before the state and the parent. */
    private def parentOf(process: String): String = {
      val stat = new String(Files.readAllBytes(Paths.get(s"/proc/$process/stat")))
      stat.drop(stat.lastIndexOf(')') + 2).split(' ')(1)
    }

    private def kill(processes: Seq[String]): Unit = {
      new ProcessBuilder(("kill" +: "-9" +: processes).asJava).inheritIO().start().waitFor()
      // Until it takes effect.
      Thread.sleep(60000)
      throw new IllegalStateException(s"${TaskContext.get().stageId()} outlived its executor")
    }

    private def cut(file: Path): Unit = {
      val bytes = Files.readAllBytes(file)
      Files.write(file, bytes.dropRight(1)): Unit
    }
  }

  private object Loss {
    def outputs(directory: Path): Seq[Path] = {
      val all = Files.walk(directory)
      try all.iterator().asScala.filter(_.toString.endsWith(".data")).toList.sorted
      finally all.close()
    }
  }
}
