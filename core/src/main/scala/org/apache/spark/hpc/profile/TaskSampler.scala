package org.apache.spark.hpc.profile

import java.util.concurrent.{ConcurrentHashMap, ThreadLocalRandom}

import scala.collection.JavaConverters._

/** Looks at the stacks of the threads that run tasks, and counts in each task's [[TaskProfile]] what it sees.
  *
  * The counts of many samples estimate how a stage's time is divided, for Spark's own code as well as for ours and for
  * users', without a change to that code. Intervals are random, from a half to one and a half of the mean: otherwise
  * samples could keep step with what a program does periodically.
  *
  * @param intervalMillis the mean time between two samples of a thread
  */
private[spark] final class TaskSampler(intervalMillis: Long) {
  import TaskSampler._

  private val tasks = new ConcurrentHashMap[Thread, Watched]
  private val classifier = new StackClassifier

  private val thread =
    new Repeated("spark-hpc-profile", "what tasks do", () => pauseMillis)(sample())

  def start(): Unit = thread.start()

  def stop(): Unit = thread.stop()

  /** The calling thread begins a task. */
  def began(profile: TaskProfile): Unit =
    tasks.put(Thread.currentThread, new Watched(profile, Recomputation.mark)): Unit

  /** The calling thread has ended its task. */
  def ended(): Unit = tasks.remove(Thread.currentThread): Unit

  private def pauseMillis: Long =
    intervalMillis / 2 + ThreadLocalRandom.current.nextLong(intervalMillis + 1)

  private def sample(): Unit =
    for ((thread, task) <- tasks.asScala) {
      val isRunning = thread.getState == Thread.State.RUNNABLE
      val stack = thread.getStackTrace
      // The task may have ended meanwhile, and the thread may run the next one.
      if (stack.nonEmpty && (tasks.get(thread) eq task)) {
        val purpose = if (task.mark.isSet) Purpose.Recompute else classifier.purpose(stack)
        task.profile.saw(purpose, classifier.activity(stack, isRunning))
      }
    }
}

private object TaskSampler {

  /** A task whose thread is looked at. */
  private final class Watched(val profile: TaskProfile, val mark: Recomputation.Mark)
}
