package org.apache.spark.api.python

import org.apache.spark.{BarrierTaskContext, SparkException, TaskKilledException}

/** The barrier calls of a Python worker, which are answered by a thread of their own.
  *
  * If the task is killed meanwhile, they fail. In stock Spark nothing in that thread catches what
  * `barrier()` throws then, and an uncaught exception ends the executor, with exit code 50.
  */
private[spark] object PythonBarrier {

  def barrier(context: BarrierTaskContext): Unit = failing(context.barrier())

  def allGather(context: BarrierTaskContext, message: String): Array[String] =
    failing(context.allGather(message))

  /** With the exception whose message Spark sends to the worker. */
  private def failing[A](call: => A): A =
    try call
    catch {
      case killed: TaskKilledException =>
        throw new SparkException(
          s"The task was killed while it waited for others: ${killed.reason}",
          killed
        )
    }
}
