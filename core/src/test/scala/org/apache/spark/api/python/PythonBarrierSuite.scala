package org.apache.spark.api.python

import scala.util.{Failure, Try}

import org.apache.spark.{
  BarrierTaskContext,
  SparkConf,
  SparkContext,
  SparkException,
  TaskKilledException
}
import org.apache.spark.hpc.Build
import org.scalatest.funsuite.AnyFunSuite

class PythonBarrierSuite extends AnyFunSuite {
  import PythonBarrierSuite._

  test("the calls of a task that is killed fail as the worker can be told of") {
    val failures = inBarrierTask { context =>
      val killed = new Killed(context)
      Seq(
        Try(PythonBarrier.barrier(killed)),
        Try(PythonBarrier.allGather(killed, "message"))
      ).collect { case Failure(failure: SparkException) => failure.getMessage }
    }
    assert(failures == Seq.fill(2)("The task was killed while it waited at a barrier: as told"))
  }

  test("others do what they do") {
    val gathered = inBarrierTask { context =>
      PythonBarrier.barrier(context)
      PythonBarrier.allGather(context, "message").toSeq
    }
    assert(gathered == Seq("message"))
  }
}

private object PythonBarrierSuite {

  private final class Killed(context: BarrierTaskContext) extends BarrierTaskContext(context) {
    override def barrier(): Unit = throw new TaskKilledException("as told")
    override def allGather(message: String): Array[String] =
      throw new TaskKilledException("as told")
  }

  private def inBarrierTask(test: BarrierTaskContext => Seq[String]): Seq[String] = {
    val conf = new SparkConf(false)
      .setMaster("local[1]")
      .setAppName(Build.current.version)
      .set("spark.ui.enabled", "false")
    val sc = new SparkContext(conf)
    try sc.range(0, 1, 1, 1).barrier().mapPartitions { _ =>
        test(BarrierTaskContext.get()).iterator
      }.collect().toSeq
    finally sc.stop()
  }
}
