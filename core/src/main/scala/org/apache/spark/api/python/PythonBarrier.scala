package org.apache.spark.api.python

import org.apache.spark.{BarrierTaskContext, SparkException, TaskKilledException}

/** Runs the barrier calls of a Python worker, which fail if the task is killed while they wait.
  *
  * A separate thread runs these calls. In stock Spark, nothing in that thread catches the exception that `barrier()`
  * throws when the task is killed, and an uncaught exception ends the executor with exit code 50.
  */
private[spark] object PythonBarrier {

  def barrier(context: BarrierTaskContext): Unit = failing(context.barrier())

  def allGather(context: BarrierTaskContext, message: String): Array[String] =
    failing(context.allGather(message))

  /** If the task is killed, throws the exception whose message Spark sends to the worker. */
  private def failing[A](call: => A): A =
    try call
    catch {
      case killed: TaskKilledException =>
        throw new SparkException(
          s"The task was killed while it waited at a barrier: ${killed.reason}",
          killed
        )
    }
}
