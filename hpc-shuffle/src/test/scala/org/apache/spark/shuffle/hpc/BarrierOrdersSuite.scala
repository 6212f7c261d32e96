package org.apache.spark.shuffle.hpc

import java.util.concurrent.TimeoutException

import scala.concurrent.Await
import scala.concurrent.duration._
import scala.reflect.ClassTag

import org.apache.spark.{
  BarrierTaskContext,
  MapOutputTrackerMaster,
  ShuffleDependency,
  SparkContext
}
import org.apache.spark.{SparkEnv, SparkException}
import org.apache.spark.rdd.RDD
import org.apache.spark.shuffle.FetchFailedException
import org.scalatest.funsuite.AnyFunSuite

/** Barrier stages of two tasks, of which one fails before the scheduler hears of the other's success,
  * just after, or while the other waits for it.
  */
class BarrierOrdersSuite extends AnyFunSuite with ShuffleJobs {
  import BarrierOrdersSuite._

  private def withGlobal(test: SparkContext => Unit): Unit = withContext(
    "spark.local.dir" -> shared.resolve("local").toString,
    "spark.hpc.shuffle.placement" -> "global",
    "spark.hpc.shuffle.directory" -> shared.resolve("spark").toString
  )(test)

  for (isFailureFirst <- Seq(true, false); reads <- Seq(false, true)) {
    val order = if (isFailureFirst) "failure before success" else "success before failure"
    val how = if (reads) "reads, by a failed fetch" else "doesn't read"
    test(s"$order, of a map stage that $how: all its tasks run again, with each other") {
      withGlobal { sc =>
        for (_ <- 1 to Rounds) {
          val input = if (reads) shuffled(sc) else numbers(sc)
          val fail = if (reads) failedFetch(input) else failure
          val pairs = new TaskRace(sc, isFailureFirst).run(input, fail)
          val all = collected(pairs.groupByKey(2).mapValues(_.toSeq))
          assert(all.toMap == (0 until Records).map(_ -> Seq(1)).toMap)
        }
      }
    }
  }

  test("a map task that waits for another, whose fetch fails, makes room for the next attempt") {
    withGlobal { sc =>
      for (_ <- 1 to Rounds) {
        val keys = waitingForFailed(shuffled(sc)).map((_, 1)).groupByKey(2).keys
        assert(collected(keys).sorted == (0 until Records))
      }
    }
  }

  test("a result task that waits for another, whose fetch fails, makes room for the next job") {
    withGlobal { sc =>
      for (_ <- 1 to Rounds) {
        val failure = intercept[SparkException](collected(waitingForFailed(shuffled(sc))))
        assert(failure.getMessage.contains("Could not recover from a failed barrier ResultStage"))
        val next = numbers(sc).barrier().mapPartitions { numbers =>
          BarrierTaskContext.get().barrier()
          numbers
        }
        assert(collected(next).sorted == (0 until Records))
      }
    }
  }
}

private object BarrierOrdersSuite {
  private val Records = 20
  private val Rounds = 2
  private val Patience = 120.seconds

  private def numbers(sc: SparkContext): RDD[Int] = sc.parallelize(0 until Records, 2)

  private def shuffled(sc: SparkContext): RDD[Int] = numbers(sc).map((_, 1)).groupByKey(2).keys

  private def failure: () => Unit = () => throw new IllegalStateException("as told")

  /** What a task throws that can't read its part. */
  private def failedFetch(of: RDD[_]): () => Unit = {
    val shuffle = shuffleOf(of)
    () => {
      val tracker = SparkEnv.get.mapOutputTracker.asInstanceOf[MapOutputTrackerMaster]
      val lost = tracker.shuffleStatuses(shuffle).withMapStatuses(_.head)
      throw new FetchFailedException(lost.location, shuffle, lost.mapId, 0, 1, "as told")
    }
  }

  private def shuffleOf(rdd: RDD[_]): Int = rdd.dependencies.head match {
    case shuffle: ShuffleDependency[_, _, _] => shuffle.shuffleId
    case other => shuffleOf(other.rdd)
  }

  /** In the first attempt one task can't read its part when the other waits for it. */
  private def waitingForFailed(rdd: RDD[Int]): RDD[Int] = {
    val fail = failedFetch(rdd)
    rdd.barrier().mapPartitions { numbers =>
      val context = BarrierTaskContext.get()
      if (context.stageAttemptNumber() == 0 && context.partitionId() == 1) fail()
      context.barrier()
      numbers
    }
  }

  /** The elements, or an exception when they don't come. */
  private def collected[A: ClassTag](rdd: RDD[A]): Seq[A] = {
    val action = rdd.collectAsync()
    try Await.result(action, Patience)
    catch {
      case late: TimeoutException =>
        action.cancel()
        throw late
    }
  }
}
