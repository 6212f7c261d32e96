package org.apache.spark.scheduler

import java.util.Properties

import org.apache.spark.{MapOutputStatistics, MapOutputTrackerMaster, ShuffleDependency}
import org.apache.spark.{FetchFailed, SparkContext, SparkEnv, TaskContext}
import org.apache.spark.internal.config.Hpc
import org.apache.spark.rdd.RDD
import org.apache.spark.shuffle.PlacedOutputs
import org.apache.spark.storage.{BlockManagerMaster, StorageLevel}
import org.apache.spark.util.{CallSite, Clock, SystemClock}

/** Spark's scheduler, which shows each job to [[AutoPersist]] first, if that is wanted, and lets a
  * shuffle manager with places of its own say which are lost when one is.
  */
private[spark] class HpcDAGScheduler(
    sc: SparkContext,
    taskScheduler: TaskScheduler,
    listenerBus: LiveListenerBus,
    mapOutputTracker: MapOutputTrackerMaster,
    blockManagerMaster: BlockManagerMaster,
    env: SparkEnv,
    clock: Clock
) extends DAGScheduler(
      sc,
      taskScheduler,
      listenerBus,
      mapOutputTracker,
      blockManagerMaster,
      env,
      clock
    ) {

  /** As Spark's tests construct it. */
  def this(sc: SparkContext, taskScheduler: TaskScheduler) = this(
    sc,
    taskScheduler,
    sc.listenerBus,
    sc.env.mapOutputTracker.asInstanceOf[MapOutputTrackerMaster],
    sc.env.blockManager.master,
    sc.env,
    new SystemClock
  )

  def this(sc: SparkContext) = this(sc, sc.taskScheduler)

  private val autoPersist =
    if (sc.conf.get(Hpc.RETENTION_AUTO_PERSIST) == "auto") Some(new AutoPersist(sc)) else None

  override def submitJob[T, U](
      rdd: RDD[T],
      func: (TaskContext, Iterator[T]) => U,
      partitions: Seq[Int],
      callSite: CallSite,
      resultHandler: (Int, U) => Unit,
      properties: Properties
  ): JobWaiter[U] = {
    autoPersist.foreach(_.beforeJob(rdd))
    super.submitJob(rdd, func, partitions, callSite, resultHandler, properties)
  }

  override def submitMapStage[K, V, C](
      dependency: ShuffleDependency[K, V, C],
      callback: MapOutputStatistics => Unit,
      callSite: CallSite,
      properties: Properties
  ): JobWaiter[MapOutputStatistics] = {
    autoPersist.foreach(_.beforeJob(dependency.rdd))
    super.submitMapStage(dependency, callback, callSite, properties)
  }

  private[scheduler] override def handleTaskCompletion(event: CompletionEvent): Unit = {
    event.reason match {
      case failed: FetchFailed =>
        PlacedOutputs.of(env.shuffleManager).foreach(_.lost(failed, mapOutputTracker))
      case _ =>
    }
    super.handleTaskCompletion(event)
  }

  private[scheduler] def userPersists(rdd: RDD[_], level: StorageLevel): Unit =
    autoPersist.foreach(_.userPersists(rdd, level))
}
