package org.sparkhpc.apps

import java.nio.file.{Files, Path, Paths}
import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.scheduler.{SparkListener, SparkListenerExecutorRemoved}

/** One job after the other caches more than fits; beside them, jobs that need no scratch:
  * `Innocent DIRECTORY`.
  *
  * It says `caching`, waits for the file `stalled`, says `innocent` for each of five jobs,
  * waits for the file `enough`, and ends.
  */
object Innocent {
  private val Blocks = 4
  private val Words = 25000
  private val Kept = 6

  def main(args: Array[String]): Unit = {
    val directory = Paths.get(args.head)
    val sc = SparkContext.getOrCreate()
    val lost = new AtomicInteger
    sc.addSparkListener(new SparkListener {
      override def onExecutorRemoved(event: SparkListenerExecutorRemoved): Unit =
        lost.incrementAndGet(): Unit
    })
    val rounds, wrong = new AtomicInteger
    @volatile var goOn = true
    val caching = new Thread(() => {
      var kept = Seq.empty[(Int, RDD[Array[Long]])]
      while (goOn) {
        val round = rounds.incrementAndGet()
        kept +:= round -> sc.range(0, Blocks.toLong, 1, Blocks).map(Array.fill(Words)(_)).cache()
        for ((_, rdd) <- kept if rdd.map(_.sum).sum() != Words * 6L) wrong.incrementAndGet()
        kept.drop(Kept).foreach(_._2.unpersist(blocking = false))
        kept = kept.take(Kept)
      }
    })
    caching.start()
    try {
      await(rounds.get > Kept)
      Report.line("caching", rounds.get)
      await(directory, "stalled")
      for (job <- 1 to 5) {
        Report.line("innocent", s"$job ${sc.range(0, 1000, 1, 2).sum()}")
        // Long enough for heartbeats to be missed, if they were.
        Thread.sleep(6000)
      }
      Report.line("lost", lost.get)
      await(directory, "enough")
      goOn = false
      caching.join()
      Report.line("wrong", wrong.get)
      Report.line("rounds", rounds.get)
      Report.storageClasses(sc, 1)
    } finally sc.stop()
  }

  private def await(directory: Path, file: String): Unit =
    await(Files.exists(directory.resolve(file)))

  private def await(condition: => Boolean): Unit = while (!condition) Thread.sleep(100)
}
