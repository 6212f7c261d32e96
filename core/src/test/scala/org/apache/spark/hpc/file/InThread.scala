package org.apache.spark.hpc.file

import java.util.concurrent.{ExecutionException, FutureTask, TimeUnit}

/** Runs `body` in a thread of its own name. */
final class InThread[A](name: String)(body: => A) {
  private val task = new FutureTask[A](() => body)
  private val thread = new Thread(task, name)
  thread.start()

  def interrupt(): Unit = thread.interrupt()

  def isOver: Boolean = task.isDone

  /** Its result, or what it threw. */
  def result(): A =
    try task.get(60, TimeUnit.SECONDS)
    catch { case failure: ExecutionException => throw failure.getCause }
}
