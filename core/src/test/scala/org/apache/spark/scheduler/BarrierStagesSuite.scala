package org.apache.spark.scheduler

import org.apache.spark.{ExceptionFailure, SparkContext, Success, TaskKilled}
import org.apache.spark.rdd.RDD
import org.apache.spark.storage.BlockManagerId
import org.apache.spark.util.LongAccumulator
import org.scalatest.funsuite.AnyFunSuite

/** Barrier stages of two tasks, by events in a given order. */
class BarrierStagesSuite extends AnyFunSuite {
  import BarrierStagesSuite._
  import ScriptedTasks.Decommissioned

  test("a success that comes after another task's failure doesn't count") {
    ScriptedTasks.of(mapping) { tasks =>
      val Seq(one, other) = tasks.submitted()
      tasks.end(other, failure)
      tasks.end(one, Success)
      assert(tasks.submitted().map(_.partitionId) == Seq(0, 1))
    }
  }

  test("nor does one that comes when the next attempt runs, and that attempt isn't told of it") {
    ScriptedTasks.of(mapping) { tasks =>
      val Seq(one, other) = tasks.submitted()
      tasks.end(other, failure)
      val again = tasks.submitted()
      tasks.end(one, Success)
      again.foreach(tasks.end(_, Success))
      tasks.submitted().foreach(tasks.end(_, Success))
      assert(tasks.result() == Seq(0, 1))
      assert(tasks.completedElsewhere.isEmpty)
      assert(tasks.outputs(one.stageId) == again.map(tasks.idOf))
    }
  }

  test("nor does one that comes when the next attempt has succeeded") {
    ScriptedTasks.of(mapping) { tasks =>
      val Seq(one, other) = tasks.submitted()
      tasks.end(other, failure)
      val again = tasks.submitted()
      again.foreach(tasks.end(_, Success))
      tasks.submitted()
      tasks.end(one, Success)
      assert(tasks.outputs(one.stageId) == again.map(tasks.idOf))
    }
  }

  test("listeners see it as killed, and of its accumulators the metrics alone count") {
    ScriptedTasks.of(mapping) { tasks =>
      val users = tasks.sc.longAccumulator("user's")
      val metric = tasks.metric("metric")
      def updates: Seq[LongAccumulator] = Seq(users, metric).map { accumulator =>
        val update = new LongAccumulator
        update.metadata = accumulator.metadata
        update.add(1)
        update
      }
      val Seq(one, other) = tasks.submitted()
      tasks.end(other, failure)
      tasks.end(one, Success, updates)
      tasks.submitted().foreach(tasks.end(_, Success, updates))
      tasks.submitted()
      val Seq(end) = tasks.ends(one.stageId).filter(_.taskInfo.taskId == tasks.idOf(one))
      assert(end.reason.isInstanceOf[TaskKilled] && end.taskInfo.status == "KILLED")
      assert(users.value == 2 && metric.value == 3)
    }
  }

  for (from <- Seq(Lost, Decommissioned)) {
    test(s"from ${from.executorId}: after a failed fetch of a map task, the others are killed") {
      ScriptedTasks.of(readingAndMapping, IgnoresDecommissioned) { tasks =>
        tasks.submitted().foreach(tasks.end(_, Success, place = from))
        val Seq(_, other) = tasks.submitted()
        assert(tasks.killed(other.stageId) == 0)
        tasks.end(other, tasks.fetchFailure(other, from))
        assert(tasks.killed(other.stageId) == 1)
      }
    }

    test(
      s"from ${from.executorId}: after a failed fetch of a map task, another's success doesn't count"
    ) {
      ScriptedTasks.of(readingAndMapping, IgnoresDecommissioned) { tasks =>
        tasks.submitted().foreach(tasks.end(_, Success, place = from))
        val Seq(one, other) = tasks.submitted()
        tasks.end(other, tasks.fetchFailure(other, from))
        tasks.end(one, Success)
        tasks.submitted().foreach(tasks.end(_, Success, place = from))
        assert(tasks.submitted().map(_.partitionId) == Seq(0, 1))
      }
    }
  }

  for ((how, reason) <- Seq("is killed" -> TaskKilled("as told"), "succeeds" -> Success))
    test(s"an attempt that Spark doesn't count as failed isn't counted when another task $how") {
      ScriptedTasks.of(readingAndMapping, IgnoresDecommissioned) { tasks =>
        for (_ <- 1 to 10) {
          tasks.submitted().foreach(tasks.end(_, Success, place = Decommissioned))
          val Seq(one, other) = tasks.submitted()
          tasks.end(other, tasks.fetchFailure(other, Decommissioned))
          tasks.end(one, reason)
        }
        tasks.submitted()
      }
    }

  test("failed fetches that Spark counts end the job in the end") {
    ScriptedTasks.of(readingAndMapping) { tasks =>
      for (_ <- 1 to 4) {
        tasks.submitted().foreach(tasks.end(_, Success, place = Lost))
        val Seq(one, other) = tasks.submitted()
        tasks.end(other, tasks.fetchFailure(other, Lost))
        tasks.end(one, TaskKilled("as told"))
      }
      assert(
        tasks.failure().getMessage.contains("has failed the maximum allowable number of times: 4")
      )
    }
  }

  test("after a failed fetch of a result task, the job has failed, and the others are killed") {
    ScriptedTasks.of(reading) { tasks =>
      tasks.submitted().foreach(tasks.end(_, Success))
      val Seq(_, other) = tasks.submitted()
      tasks.end(other, tasks.fetchFailure(other, Lost))
      assert(
        tasks.failure().getMessage.contains("Could not recover from a failed barrier ResultStage")
      )
      assert(tasks.killed(other.stageId) == 1)
    }
  }

  test("when one of two outputs is lost with its executor, both tasks run again") {
    var rdd: RDD[_] = null
    ScriptedTasks.of { sc => rdd = mapping(sc); rdd } { tasks =>
      val Seq(one, other) = tasks.submitted()
      tasks.end(one, Success)
      tasks.end(other, Success, place = Lost)
      tasks.submitted().foreach(tasks.end(_, Success))
      tasks.result()
      tasks.lose(Lost)
      tasks.submit(rdd)
      val Seq(alone) = tasks.submitted()
      tasks.begin(alone)
      assert(tasks.killed(alone.stageId) == 1)
      tasks.end(alone, TaskKilled("as told"))
      val both = tasks.submitted()
      assert(both.map(_.partitionId) == Seq(0, 1))
      val before = tasks.killed(alone.stageId)
      both.foreach(tasks.begin)
      assert(tasks.killed(alone.stageId) == before)
    }
  }

  test("what a failed attempt of another stage has done counts, as ever") {
    ScriptedTasks.of(sc => pairs(sc).groupByKey(2).map(identity).groupByKey(2)) { tasks =>
      tasks.submitted().foreach(tasks.end(_, Success, place = Lost))
      val Seq(one, other) = tasks.submitted()
      tasks.end(other, tasks.fetchFailure(other, Lost))
      tasks.end(one, Success)
      assert(tasks.outputs(one.stageId) == Seq(tasks.idOf(one)) && tasks.killed(one.stageId) == 0)
    }
  }
}

private object BarrierStagesSuite {
  private val Lost = BlockManagerId("lost", "elsewhere", 1)

  private val IgnoresDecommissioned = "spark.stage.ignoreDecommissionFetchFailure" -> "true"

  private def failure: ExceptionFailure =
    new ExceptionFailure(new IllegalStateException("as told"), Nil)

  private def pairs(sc: SparkContext): RDD[(Int, Int)] =
    sc.parallelize(0 until 2, 2).map(n => (n, n))

  private def together[A: scala.reflect.ClassTag](rdd: RDD[A]): RDD[A] =
    rdd.barrier().mapPartitions(identity(_))

  private def mapping(sc: SparkContext): RDD[_] = together(pairs(sc)).groupByKey(2)

  private def reading(sc: SparkContext): RDD[_] = together(pairs(sc).groupByKey(2))

  private def readingAndMapping(sc: SparkContext): RDD[_] =
    together(pairs(sc).groupByKey(2)).groupByKey(2)
}
