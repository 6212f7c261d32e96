package org.apache.spark.hpc.report

import java.util.concurrent.ConcurrentLinkedQueue

import scala.collection.JavaConverters._

import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._

import org.apache.spark.{SparkConf, SparkContext}

/** Lines on a stage that runs, from executors' heartbeats. */
class StageProgressSuite extends AnyFunSuite with Eventually {
  implicit override val patienceConfig: PatienceConfig = PatienceConfig(60.seconds, 50.millis)

  test("while the tasks of a stage run, lines say what they do") {
    val conf = new SparkConf()
      .setMaster("local[2]")
      .setAppName("progress")
      .set("spark.hpc.profile.interval", "5ms")
      .set("spark.executor.heartbeatInterval", "100ms")
      .set("spark.network.timeout", "120s")
    val sc = new SparkContext(conf)
    try {
      val lines = new ConcurrentLinkedQueue[String]
      sc.addSparkListener(new StageProgress.Listener(pauseMillis = 1) {
        override protected def show(line: String): Unit = lines.add(line): Unit
      })
      val job = sc.parallelize(1 to 2, 2).foreachAsync(_ => Thread.sleep(120000))
      val line =
        """Stage 0 \(foreachAsync at .*\) has run .*: 0 of 2 tasks are done\. In the last .*other wait \d+%.*"""
      eventually(assert(lines.asScala.exists(_.matches(line)), lines))
      job.cancel()
    } finally sc.stop()
  }
}
