package org.apache.spark.hpc.scale

import java.lang.management.ManagementFactory

import scala.collection.JavaConverters._

import com.codahale.metrics.Timer
import com.sun.management.OperatingSystemMXBean

import org.apache.spark.{HashPartitioner, ShuffleDependency, SparkContext}
import org.apache.spark.executor.ExecutorExitCode
import org.apache.spark.rdd.{RDD, ShuffledRDD}
import org.apache.spark.scheduler.ExecutorProcessLost
import org.apache.spark.scheduler.cluster.CoarseGrainedClusterMessages.RemoveExecutor
import org.apache.spark.scheduler.cluster.CoarseGrainedSchedulerBackend
import org.apache.spark.shuffle.hpc.place.SharedPlaces
import org.apache.spark.storage.StorageLevel

/** A real driver of thousands of thin executors: `EXECUTORS MAPS REDUCERS BLOCKS LOST SHARED`. SHARED (true
  * or false) says whether map outputs are in a shared directory. Prints a line for each phase:
  * elapsed and CPU seconds of this process, and the megabytes of its heap after a full collection.
  */
object DriverScale {
  private val beans = ManagementFactory.getPlatformMXBean(classOf[OperatingSystemMXBean])

  def main(args: Array[String]): Unit = {
    val Array(executors, maps, reducers, blocks, lost) = args.take(5).map(_.toInt)
    val sc = new SparkContext
    val directory = if (args(5).toBoolean) Some(SharedPlaces.directory(sc.conf)) else None
    val node = start(sc, Seq(executors, reducers).map(_.toString) ++ directory.map(_.toString))
    val backend = sc.schedulerBackend.asInstanceOf[CoarseGrainedSchedulerBackend]
    def awaitExecutors(number: Int): Unit =
      while (backend.getExecutorIds().size != number) Thread.sleep(5)
    try {
      phase("register")(awaitExecutors(executors))
      val cached = sc.range(0, blocks, 1, executors).persist(StorageLevel.MEMORY_AND_DISK)
      phase("cache") {
        sc.setLocalProperty(Answers.Cached, s"${cached.id},${blocks / executors}")
        run(sc, cached, 0)
        sc.setLocalProperty(Answers.Cached, null)
      }
      val shuffled = shuffle(sc, maps, reducers)
      val its = shuffled.dependencies.head.asInstanceOf[ShuffleDependency[Long, Long, Long]]
      sc.setLocalProperty(Answers.Shuffle, its.shuffleId.toString)
      phase("map")(sc.submitMapStage(its).get())
      phase("reduce")(run(sc, shuffled, its.shuffleId))
      phase("lose") {
        val reason = ExecutorProcessLost(ExecutorExitCode.explainExitCode(137))
        for (id <- 1 to lost) backend.driverEndpoint.send(RemoveExecutor(id.toString, reason))
        awaitExecutors(executors - lost)
      }
      phase("again")(run(sc, shuffled, its.shuffleId))
      phase("fail") {
        val slots = math.min(executors - lost, reducers)
        sc.setLocalProperty(Answers.Failing, s"${math.min(lost, maps)},$slots")
        run(sc, shuffled, its.shuffleId)
        sc.setLocalProperty(Answers.Failing, null)
      }
      phase("unpersist")(cached.unpersist(blocking = true))
      println(s"longest=${longestEvent(sc)}ms")
    } finally {
      node.getOutputStream.close()
      node.waitFor()
      sc.stop()
    }
  }

  private def shuffle(sc: SparkContext, maps: Int, reducers: Int): RDD[(Long, Long)] =
    new ShuffledRDD[Long, Long, Long](
      sc.range(0, maps.toLong, 1, maps).map(n => (n, n)),
      new HashPartitioner(reducers)
    )

  private def run(sc: SparkContext, rdd: RDD[_], shuffle: Int): Unit = {
    sc.setLocalProperty(Answers.Shuffle, shuffle.toString)
    sc.runJob(rdd, (all: Iterator[_]) => all.size): Unit
  }

  /** Starts the process of the thin executors. */
  private def start(sc: SparkContext, args: Seq[String]): Process = {
    val settings = sc.conf.getAll.collect {
      case (key, value) if key.startsWith("spark.") => s"-D$key=$value"
    }
    val options = ManagementFactory.getRuntimeMXBean.getInputArguments.asScala
      .filter(option => option.startsWith("--add-opens") || option.startsWith("-Djdk."))
    val command =
      Seq(s"${System.getProperty("java.home")}/bin/java", "-Xmx4g") ++ options ++ settings ++
        Seq(
          "-cp",
          System.getProperty("java.class.path"),
          "org.apache.spark.hpc.scale.ThinNode"
        ) ++ args
    new ProcessBuilder(command.asJava).redirectOutput(ProcessBuilder.Redirect.INHERIT)
      .redirectError(ProcessBuilder.Redirect.INHERIT).start()
  }

  private def phase(name: String)(work: => Any): Unit = {
    val (begun, cpu) = (System.nanoTime(), beans.getProcessCpuTime)
    work
    val (elapsed, used) = (System.nanoTime() - begun, beans.getProcessCpuTime - cpu)
    System.gc()
    val runtime = Runtime.getRuntime
    val heap = runtime.totalMemory - runtime.freeMemory
    println(
      f"phase=$name seconds=${elapsed / 1e9}%.2f cpu=${used / 1e9}%.2f heapMb=${heap / 1e6}%.1f"
    )
  }

  /** The longest of a sample of a thousand recent events of the DAG scheduler's loop, in milliseconds. */
  private def longestEvent(sc: SparkContext): Long = {
    val timers = sc.env.metricsSystem.getSourcesByName("DAGScheduler").flatMap(
      _.metricRegistry.getTimers.asScala.values
    )
    timers.map((timer: Timer) => timer.getSnapshot.getMax / 1000000).max
  }
}
