package org.apache.spark.scheduler

import java.util.concurrent.{ConcurrentLinkedQueue, CountDownLatch, LinkedBlockingQueue, TimeUnit}

import scala.collection.JavaConverters._
import scala.collection.concurrent.TrieMap
import scala.concurrent.Await
import scala.concurrent.duration._

import org.apache.spark.{FetchFailed, MapOutputTrackerMaster, SparkConf, SparkContext, Success}
import org.apache.spark.{TaskContext, TaskEndReason}
import org.apache.spark.hpc.Build
import org.apache.spark.rdd.RDD
import org.apache.spark.storage.BlockManagerId
import org.apache.spark.util.{AccumulatorV2, CallSite, LongAccumulator}

/** A scheduler whose tasks run nowhere: a test says how each of them ends, and when. What it says is
  * seen in that order.
  */
private[scheduler] final class ScriptedTasks(val sc: SparkContext) {
  import ScriptedTasks._

  private val taskSets = new LinkedBlockingQueue[Seq[Task[Any]]]
  private val kills = new ConcurrentLinkedQueue[Int]
  private val completions = new ConcurrentLinkedQueue[Int]
  private val taskEnds = new ConcurrentLinkedQueue[SparkListenerTaskEnd]
  private val infos = TrieMap[Task[_], TaskInfo]()
  private val shuffles = TrieMap[Int, Int]()
  private val results = TrieMap[Int, Int]()
  private var job: JobWaiter[_] = _

  private val tracker = sc.env.mapOutputTracker.asInstanceOf[MapOutputTrackerMaster]

  private val cluster: TaskSchedulerImpl = new TaskSchedulerImpl(sc) {
    override def submitTasks(set: TaskSet): Unit = {
      for ((task, index) <- set.tasks.zipWithIndex) {
        task.epoch = tracker.getEpoch
        infos(task) = infoOf(task, newTaskId(), index)
      }
      set.shuffleId.foreach(shuffles(set.stageId) = _)
      taskSets.add(set.tasks.toSeq.asInstanceOf[Seq[Task[Any]]]): Unit
    }
    override def cancelTasks(stage: Int, interrupt: Boolean, reason: String): Unit = ()
    override def killAllTaskAttempts(stage: Int, interrupt: Boolean, reason: String): Unit =
      kills.add(stage): Unit
    override def notifyPartitionCompletion(stage: Int, partition: Int): Unit =
      completions.add(partition): Unit
    override def getExecutorDecommissionState(executor: String): Option[ExecutorDecommissionState] =
      if (executor == Decommissioned.executorId) Some(ExecutorDecommissionState(0L, None)) else None
  }

  private val settled = new LinkedBlockingQueue[CountDownLatch]

  private val scheduler = new HpcDAGScheduler(sc, cluster) {
    private[scheduler] override def handleGetTaskResult(info: TaskInfo): Unit =
      settled.take().countDown()
  }

  sc.addSparkListener(new SparkListener {
    override def onTaskEnd(end: SparkListenerTaskEnd): Unit = taskEnds.add(end): Unit
  })

  /** Submits a job over all partitions. */
  def submit(rdd: RDD[_]): Unit = {
    results.clear()
    job = scheduler.submitJob[Any, Int](
      rdd.asInstanceOf[RDD[Any]],
      (_: TaskContext, _: Iterator[Any]) => 0,
      rdd.partitions.indices,
      CallSite("scripted", ""),
      (partition, result) => results(partition) = result,
      new java.util.Properties
    )
  }

  /** The tasks that are submitted next. */
  def submitted(): Seq[Task[Any]] = {
    val tasks = taskSets.poll(Patience.toSeconds, TimeUnit.SECONDS)
    assert(tasks != null, "no tasks are submitted")
    tasks
  }

  def begin(task: Task[_]): Unit = scheduler.taskStarted(task, infos(task))

  /** Ends a task.
    *
    * @param place where its map output is, if it is a map task that succeeds
    */
  def end(
      task: Task[_],
      reason: TaskEndReason,
      updates: Seq[AccumulatorV2[_, _]] = Nil,
      place: BlockManagerId = Executor
  ): Unit = {
    val info = infos(task)
    info.finishTime = System.currentTimeMillis()
    info.failed = reason != Success
    val result = (reason, task) match {
      case (Success, _: ShuffleMapTask) => MapStatus(place, Array.fill(2)(1L), info.taskId)
      case (Success, _) => task.partitionId
      case _ => null
    }
    scheduler.taskEnded(task, reason, result, updates, Array.empty, info)
  }

  /** Of a reading task. */
  def fetchFailure(task: Task[_], from: BlockManagerId): FetchFailed =
    scheduler.stageIdToStage(task.stageId).parents.head match {
      case stage: ShuffleMapStage =>
        FetchFailed(from, stage.shuffleDep.shuffleId, 0L, 0, task.partitionId, "as told")
      case other => throw new IllegalStateException(s"$other has no map outputs")
    }

  def lose(executor: BlockManagerId): Unit =
    scheduler.executorLost(executor.executorId, ExecutorProcessLost("as told"))

  /** Returns when everything said so far has been handled. */
  def settle(): Unit = {
    val handled = new CountDownLatch(1)
    settled.add(handled)
    scheduler.taskGettingResult(infos.head._2)
    assert(handled.await(Patience.toSeconds, TimeUnit.SECONDS), "the scheduler hangs")
    sc.listenerBus.waitUntilEmpty()
  }

  /** What the job's tasks returned, by partition. */
  def result(): Seq[Int] = {
    Await.result(job.completionFuture, Patience)
    results.toSeq.sorted.map(_._2)
  }

  def failure(): Throwable = Await.result(job.completionFuture.failed, Patience)

  def idOf(task: Task[_]): Long = infos(task).taskId

  /** The tasks of a stage whose map outputs count. */
  def outputs(stage: Int): Seq[Long] = {
    settle()
    val all = tracker.shuffleStatuses(shuffles(stage))
    all.withMapStatuses(_.toSeq.filter(_ != null).map(_.mapId))
  }

  /** How often the tasks of a stage were killed. */
  def killed(stage: Int): Int = {
    settle()
    kills.asScala.count(_ == stage)
  }

  /** The partitions that later attempts were told to be completed by an earlier one. */
  def completedElsewhere: Seq[Int] = {
    settle()
    completions.asScala.toSeq
  }

  /** As listeners hear of them. */
  def ends(stage: Int): Seq[SparkListenerTaskEnd] = {
    settle()
    taskEnds.asScala.toSeq.filter(_.stageId == stage)
  }

  def metric(name: String): LongAccumulator = {
    val metric = new LongAccumulator
    metric.register(sc, Some(name), countFailedValues = true)
    metric
  }
}

private[scheduler] object ScriptedTasks {
  val Executor: BlockManagerId = BlockManagerId("executor", "host", 1)
  val Decommissioned: BlockManagerId = BlockManagerId("decommissioned", "host", 1)

  private val Patience = 120.seconds

  private def infoOf(task: Task[_], id: Long, index: Int): TaskInfo = new TaskInfo(
    id,
    index,
    attemptNumber = 0,
    task.partitionId,
    launchTime = System.currentTimeMillis(),
    Executor.executorId,
    Executor.host,
    TaskLocality.ANY,
    speculative = false
  )

  /** A test of a job over an RDD. */
  def of(
      rdd: SparkContext => RDD[_],
      settings: (String, String)*
  )(test: ScriptedTasks => Unit): Unit = {
    val conf = new SparkConf(false)
      .setMaster("local[2]")
      .setAppName(Build.current.version)
      .set("spark.ui.enabled", "false")
      .setAll(settings)
    val sc = new SparkContext(conf)
    try {
      val tasks = new ScriptedTasks(sc)
      try {
        tasks.submit(rdd(sc))
        test(tasks)
      } finally tasks.scheduler.stop()
    } finally sc.stop()
  }
}
