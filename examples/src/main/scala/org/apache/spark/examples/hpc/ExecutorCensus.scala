package org.apache.spark.examples.hpc

import scala.concurrent.Await
import scala.concurrent.duration._

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD

/** Asks every live executor of an application for its [[StorageClasses]].
  *
  * Tasks can't be ordered to an executor: a fast one may take them all. So each executor that
  * hasn't answered gets tasks that prefer it, round after round, until all that are registered
  * have answered, at least `expected` of them, and none came during `settle`. What can't be had
  * within `patience` is refused: a missing answer never counts as a good one.
  */
final class ExecutorCensus(sc: SparkContext, expected: Int, patience: FiniteDuration) {
  import ExecutorCensus._

  private val deadline = patience.fromNow
  private var answers = Map.empty[String, StorageClasses]

  /** In local mode the driver's process is the only one, and there are no executors to ask. */
  def take(): Seq[StorageClasses] =
    if (sc.isLocal) Nil
    else {
      var lastNews = Deadline.now
      var round = 0
      while (unanswered.nonEmpty || alive.size < math.max(expected, 1) || !settled(lastNews)) {
        val before = answers.size
        if (unanswered.isEmpty) pause() else ask(round)
        if (answers.size > before) lastNews = Deadline.now
        if (deadline.isOverdue()) throw overdue
        round += 1
      }
      answers.filter { case (id, _) => alive.contains(id) }.toSeq.sortBy(byNumber).map(_._2)
    }

  /** Executors by id with their hosts, as their block managers registered at the driver. */
  private def alive: Map[String, String] =
    sc.env.blockManager.master.getMemoryStatus.keys
      .filterNot(_.isDriver)
      .map(manager => manager.executorId -> manager.host)
      .toMap

  private def unanswered: Map[String, String] = alive -- answers.keys

  private def ask(round: Int): Unit = {
    val targets = unanswered.toSeq.map { case (id, host) => (id, Seq(s"executor_${host}_$id")) }
    // A preference is only waited for during spark.locality.wait; where that is 0, several tasks
    // that hold their slots for a moment get round to the others.
    val copies = if (round == 0) 1 else 4
    val tasks = sc.makeRDD(Seq.fill(copies)(targets).flatten)
    val pending = ExecutorCensus.answers(tasks, if (round == 0) 0L else 100L).collectAsync()
    try {
      val heard = Await.result(pending, math.max(deadline.timeLeft.toMillis, 1L).millis)
      answers ++= heard.map(answer => answer.executor -> answer)
    } catch {
      case _: java.util.concurrent.TimeoutException => pending.cancel()
    }
  }

  private def settled(lastNews: Deadline): Boolean = expected > 0 || (lastNews + settle).isOverdue()

  private def pause(): Unit = Thread.sleep(100)

  private def overdue: Refusal = {
    val silent = unanswered.keys.toSeq.sorted
    val wanted = if (expected > 0) s" of $expected expected" else ""
    val which = if (silent.isEmpty) "" else s" (no answer from executor ${silent.mkString(", ")})"
    Refusal.data(
      s"${answers.size}$wanted executors answered within $patience$which; give them resources, " +
        "or change --executors or --timeout"
    )
  }
}

object ExecutorCensus {

  /** Executors of one application register within about a second of each other. */
  private val settle = 2.seconds

  private def answers(tasks: RDD[String], millis: Long): RDD[StorageClasses] =
    tasks.map { _ =>
      Thread.sleep(millis)
      StorageClasses.here()
    }

  private def byNumber(entry: (String, StorageClasses)): (Int, String) =
    (entry._1.length, entry._1)
}
