package org.apache.spark.examples.hpc

import java.util.Locale

import scala.collection.mutable

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.{SparkListener, SparkListenerStageCompleted, SparkListenerTaskEnd}

/** Wall-clock seconds of a workload's phases, in the order in which they first ran.
  *
  * What runs outside of a phase (making the data, checking the answer) isn't timed.
  */
final class Phases(sc: SparkContext) {
  private val nanos = mutable.LinkedHashMap.empty[String, Long]

  /** A phase that runs several times is the sum of its times. */
  def apply[A](phase: String)(work: => A): A = {
    val started = System.nanoTime()
    val result = work
    add(phase, System.nanoTime() - started)
    result
  }

  /** Work that shuffles once, as two phases: `map` until the last map task is done, and `reduce`. */
  def mapReduce[A](work: => A): A = {
    val listener = new Phases.MapStages
    sc.addSparkListener(listener)
    try {
      val begin = System.currentTimeMillis()
      val started = System.nanoTime()
      val result = work
      val total = System.nanoTime() - started
      // The events of a finished job may still be on their way.
      sc.listenerBus.waitUntilEmpty()
      val map = math.max(listener.lastEnd - begin, 0L) * 1000000L
      add("map", math.min(map, total))
      add("reduce", total - math.min(map, total))
      result
    } finally sc.removeSparkListener(listener)
  }

  /** `seconds.PHASE` of each phase, and `seconds`, their sum. */
  def figures: Seq[(String, String)] =
    nanos.toSeq.map { case (phase, time) =>
      s"seconds.$phase" -> Phases.seconds(time)
    } :+
      ("seconds" -> Phases.seconds(nanos.values.sum))

  private def add(phase: String, time: Long): Unit =
    nanos(phase) = nanos.getOrElse(phase, 0L) + time
}

object Phases {

  private def seconds(nanos: Long): String = "%.3f".formatLocal(Locale.ROOT, nanos / 1e9)

  /** When the last stage ended whose tasks write map outputs. */
  private final class MapStages extends SparkListener {
    private val mapStages = mutable.Set.empty[Int]
    @volatile private var last = 0L

    def lastEnd: Long = last

    override def onTaskEnd(task: SparkListenerTaskEnd): Unit =
      if (task.taskType == "ShuffleMapTask") mapStages += task.stageId

    override def onStageCompleted(stage: SparkListenerStageCompleted): Unit =
      if (mapStages.contains(stage.stageInfo.stageId)) {
        last = math.max(last, stage.stageInfo.completionTime.getOrElse(0L))
      }
  }
}
