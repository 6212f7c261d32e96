package org.apache.spark.shuffle.hpc

import java.util.concurrent.{CountDownLatch, TimeUnit}

import scala.concurrent.Await
import scala.concurrent.duration._
import scala.util.Try

import org.apache.spark.{HashPartitioner, ShuffleDependency, SparkContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.scheduler.TaskSchedulerImpl
import org.scalatest.concurrent.Eventually._
import org.scalatest.funsuite.AnyFunSuite

/** However a map task ends, it has closed each stream of a codec: Zstandard's have native memory. */
class CodecStreamsSuite extends AnyFunSuite with ShuffleJobs {
  import CodecStreamsSuite._

  private def settings = Seq(
    "spark.local.dir" -> shared.toString,
    "spark.serializer" -> "org.apache.spark.serializer.KryoSerializer",
    "spark.io.compression.codec" -> classOf[CountingCodec].getName
  )

  /** One map stage without a reader. */
  private def begun(pairs: RDD[(Int, String)], reducers: Int) = {
    val shuffled = pairs.partitionBy(new HashPartitioner(reducers))
    val dependency = shuffled.dependencies.head.asInstanceOf[ShuffleDependency[Int, String, String]]
    pairs.sparkContext.submitMapStage(dependency)
  }

  /** Whether its tasks succeeded. */
  private def isMapped(pairs: RDD[(Int, String)], reducers: Int): Boolean =
    Try(begun(pairs, reducers).get()).isSuccess

  private def pairs(sc: SparkContext): RDD[(Int, String)] =
    sc.range(0, Records.toLong, 1, 2).map(n => (n.toInt, n.toString * 10))

  private val ends = Seq[(String, Boolean, RDD[(Int, String)] => RDD[(Int, String)])](
    ("all is written", true, identity),
    ("its records throw", false, endingWith(throw new IllegalStateException("no more records")))
  )

  private val writers = Seq(
    ("buckets", 20, Nil),
    (
      "buckets that spill",
      20,
      Seq("spark.shuffle.spill.numElementsForceSpillThreshold" -> "3000")
    ),
    ("a sort", 300, Nil),
    ("a sort that spills", 300, Seq("spark.shuffle.spill.numElementsForceSpillThreshold" -> "3000"))
  )

  // The stage's other task ends a little later than the stage that has failed.
  private def assertOpen(count: Int): Unit =
    eventually(timeout(30.seconds))(assert(CountingCodec.open == count))

  // A status tracker would say it late.
  private def running(sc: SparkContext): Int = sc.taskScheduler match {
    case scheduler: TaskSchedulerImpl => scheduler.runningTasksByExecutors.values.sum
  }

  for ((writer, reducers, more) <- writers) {
    for ((end, isWhole, rows) <- ends)
      test(s"$writer: $end") {
        withContext(settings ++ more: _*) { sc =>
          val Seq(open, all) = Seq(CountingCodec.open, CountingCodec.all)
          assert(isMapped(rows(pairs(sc)), reducers) == isWhole)
          assertOpen(open)
          assert(CountingCodec.all > all || !isWhole)
        }
      }

    test(s"$writer: it is killed") {
      withContext(settings ++ more: _*) { sc =>
        val open = CountingCodec.open
        val isUnderWay = new CountDownLatch(2)
        waiting = isUnderWay
        sc.setJobGroup("killed", "a map stage", interruptOnCancel = true)
        val stage = begun(endingWith(waitForEver())(pairs(sc)), reducers)
        assert(isUnderWay.await(60, TimeUnit.SECONDS))
        stage.cancel()
        assert(Try(Await.ready(stage, 60.seconds)).isSuccess)
        assertOpen(open)
      }
    }

    test(s"$writer: a write fails") {
      withContext(settings ++ more: _*) { sc =>
        val Seq(open, before) = Seq(CountingCodec.open, CountingCodec.writes)
        assert(isMapped(pairs(sc), reducers))
        val writes = CountingCodec.writes - before
        for (at <- Seq(1, writes / 4, writes / 2, writes * 3 / 4)) {
          CountingCodec.failAt(at)
          assert(!isMapped(pairs(sc), reducers), at)
          // Else the stage's other task, still writing, may take the failure of the next.
          eventually(timeout(30.seconds))(assert(running(sc) == 0))
          assertOpen(open)
        }
      }
    }
  }
}

private object CodecStreamsSuite {
  private val Records = 20000

  /** Counted down by tasks that have written some records, and wait to be killed. */
  @volatile var waiting: CountDownLatch = _

  def waitForEver(): Nothing = {
    waiting.countDown()
    new CountDownLatch(1).await()
    throw new IllegalStateException("nobody killed it")
  }

  def endingWith(end: => Nothing)(pairs: RDD[(Int, String)]): RDD[(Int, String)] =
    pairs.mapPartitions(rows => rows.take(Records / 4) ++ Iterator.continually(end))
}
