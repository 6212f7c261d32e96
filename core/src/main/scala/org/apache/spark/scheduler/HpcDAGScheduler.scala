package org.apache.spark.scheduler

import scala.util.control.NonFatal

import org.apache.spark.{FetchFailed, MapOutputTrackerMaster, SparkContext, SparkEnv, Success}
import org.apache.spark.rdd.RDD
import org.apache.spark.shuffle.PlacedOutputs
import org.apache.spark.storage.{BlockManagerMaster, RDDBlockId}
import org.apache.spark.storage.StorageLevel
import org.apache.spark.storage.hpc.cache.{SharedBlocks, SpillingCache}
import org.apache.spark.util.{Clock, SystemClock}

/** Spark's scheduler with these additions:
  *
  *  1. When a map output is lost, it asks the shuffle manager which others are lost with it ([[PlacedOutputs]]).
  *  1. It submits no stage to compute cached blocks that are in a global tier.
  *  1. It runs barrier stages with all of their tasks or with none ([[BarrierStages]]).
  *
  * An exception in Spark's event loop ends the application. A failure of an addition is therefore logged as a warning,
  * and Spark continues without that addition.
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

  import HpcDAGScheduler._

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

  private val barriers = new BarrierStages(this)

  private[scheduler] override def handleTaskCompletion(event: CompletionEvent): Unit = {
    event.reason match {
      case failed: FetchFailed =>
        unlessItFails("Looking for other lost map outputs")(())(
          PlacedOutputs.of(env.shuffleManager).foreach(_.lost(failed, mapOutputTracker))
        )
      case _ =>
    }
    barriers.ended(event)(super.handleTaskCompletion)
    (event.reason, event.task, event.result) match {
      case (Success, _: ShuffleMapTask, output: MapStatus) =>
        unlessItFails("Looking for moved map outputs")(())(
          PlacedOutputs.of(env.shuffleManager)
            .foreach(_.registered(output.mapId, mapOutputTracker))
        )
      case _ =>
    }
  }

  private[scheduler] override def handleBeginEvent(task: Task[_], taskInfo: TaskInfo): Unit = {
    super.handleBeginEvent(task, taskInfo)
    barriers.began(task)
  }

  private[scheduler] override def getCacheLocs(rdd: RDD[_]): IndexedSeq[Seq[TaskLocation]] = {
    val known = super.getCacheLocs(rdd)
    sharedBlocks.filter(_ => rdd.getStorageLevel != StorageLevel.NONE).fold(known) { shared =>
      // Lazy: Spark calls this method once for each task.
      new IndexedSeq[Seq[TaskLocation]] {
        override def length: Int = known.length
        override def apply(partition: Int): Seq[TaskLocation] =
          if (known(partition).isEmpty && isIn(shared, RDDBlockId(rdd.id, partition))) InTier
          else known(partition)
      }
    }
  }

  /** Removes the placeholder host of blocks in a global tier and of map outputs that are on no node: no node is closer
    * to these than others. As a preferred host without executors, the placeholder would delay tasks if other tasks of
    * their stage are close to their data, and in local mode it would block them for ever.
    */
  private[spark] override def getPreferredLocs(rdd: RDD[_], partition: Int): Seq[TaskLocation] =
    super.getPreferredLocs(rdd, partition).filterNot(_.host == PlacedOutputs.NoNode)

  private def isIn(shared: SharedBlocks, block: RDDBlockId): Boolean =
    unlessItFails(s"Looking for $block in a global tier")(false)(shared.of(block).nonEmpty)

  // None in Spark's own tests, whose block manager is Spark's.
  private def sharedBlocks: Option[SharedBlocks] =
    SpillingCache.of(env.blockManager).flatMap(_.shared)

  private def unlessItFails[A](what: String)(otherwise: A)(look: => A): A =
    try look
    catch {
      case NonFatal(failure) =>
        logWarning(s"$what failed. Spark continues without it", failure)
        otherwise
    }
}

private object HpcDAGScheduler {

  private val InTier = Seq(HostTaskLocation(PlacedOutputs.NoNode))
}
