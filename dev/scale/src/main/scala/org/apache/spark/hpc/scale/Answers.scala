package org.apache.spark.hpc.scale

import java.nio.ByteBuffer
import java.util.Arrays
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong

import scala.concurrent.{ExecutionContext, Future}
import scala.reflect.ClassTag

import org.apache.spark.{FetchFailed, GetMapOutputStatuses, TaskFailedReason, TaskState}
import org.apache.spark.hpc.scale.ThinNode.Driver
import org.apache.spark.scheduler.{
  DirectTaskResult,
  MapStatus,
  ShuffleMapTask,
  Task,
  TaskDescription
}
import org.apache.spark.scheduler.cluster.CoarseGrainedClusterMessages.StatusUpdate
import org.apache.spark.serializer.SerializerHelper
import org.apache.spark.shuffle.hpc.place.SharedPlaces
import org.apache.spark.storage.{RDDBlockId, StorageLevel}
import org.apache.spark.storage.BlockManagerMessages.UpdateBlockInfo

/** What thin executors answer for tasks, at once: map statuses with `reducers` blocks, and results. An executor asks for
  * the map statuses before its first task of a shuffle's reducers, and again after the tracker's epoch has changed. A
  * task of a job with [[Answers.Cached]] reports cached blocks. In a job with [[Answers.Failing]], the first tasks report
  * failed fetches.
  *
  * @param places where map outputs are, if not on the executors
  */
private[scale] final class Answers(driver: Driver, reducers: Int, places: Option[SharedPlaces]) {
  import Answers._

  /** The bytes of all map statuses that executors have got. */
  val statusBytes = new AtomicLong

  private val serializer = driver.env.closureSerializer.newInstance()
  private implicit val threads: ExecutionContext = ExecutionContext.global
  private val sizes = {
    val all = new Array[Long](reducers)
    Arrays.fill(all, 100000L)
    all
  }

  /** By map: where its output is. */
  private val outputs = new ConcurrentHashMap[Int, MapStatus]
  private val failures = new Wave

  def run(executor: ThinExecutor, its: TaskDescription): Unit = {
    update(executor, its, TaskState.RUNNING, ByteBuffer.allocate(0))
    val task = serializer.deserialize[Task[Any]](
      its.serializedTask,
      Thread.currentThread.getContextClassLoader
    )
    val shuffle = its.properties.getProperty(Shuffle).toInt
    val isMap = (task: Any).isInstanceOf[ShuffleMapTask]
    val failing =
      Option(its.properties.getProperty(Failing)).filter(_ => !isMap && task.stageAttemptId == 0)
    if (failing.nonEmpty) fail(executor, its, shuffle, failing.get)
    else succeed(executor, its, task, shuffle, isMap)
  }

  private def succeed(
      executor: ThinExecutor,
      its: TaskDescription,
      task: Task[Any],
      shuffle: Int,
      isMap: Boolean
  ): Unit = {
    val before: Future[Any] =
      if (isMap) Future.unit
      else if (its.properties.getProperty(Cached) != null) {
        val Array(rdd, blocks) = its.properties.getProperty(Cached).split(",").map(_.toInt)
        cache(executor, rdd, its.partitionId * blocks, blocks)
      } else statuses(executor, shuffle, task.epoch)
    before.foreach { _ =>
      val result =
        if (isMap) encoded(task, output(executor, shuffle, its)) else encoded(task, 1)
      update(executor, its, TaskState.FINISHED, result)
    }
  }

  /** Once `slots` tasks have begun, the outputs of the first `number` maps are lost, and each task fails by one of them. */
  private def fail(
      executor: ThinExecutor,
      its: TaskDescription,
      shuffle: Int,
      failing: String
  ): Unit = {
    val Array(number, slots) = failing.split(",").map(_.toInt)
    val map = its.partitionId % number
    def loseAll(): Unit =
      for (shared <- places; each <- 0 until number) shared.lose(outputs.get(each).location)
    failures.join(slots)(loseAll()) {
      val lost = outputs.get(map)
      val failed: TaskFailedReason =
        FetchFailed(lost.location, shuffle, lost.mapId, map, its.partitionId, "it is lost")
      update(executor, its, TaskState.FAILED, serializer.serialize(failed))
    }
  }

  private def output(executor: ThinExecutor, shuffle: Int, its: TaskDescription): MapStatus = {
    val place =
      places.fold(executor.blockManager)(_.make(executor.blockManager, shuffle, its.taskId, sizes))
    val status = MapStatus(place, sizes, its.taskId)
    outputs.put(its.partitionId, status)
    status
  }

  private def statuses(executor: ThinExecutor, shuffle: Int, epoch: Long): Future[Any] =
    if (executor.known.get(shuffle).forall(_ < epoch)) {
      executor.known(shuffle) = epoch
      driver.outputs.ask[Array[Byte]](GetMapOutputStatuses(shuffle))
        .map(bytes => statusBytes.addAndGet(bytes.length.toLong))
    } else Future.unit

  private def cache(executor: ThinExecutor, rdd: Int, from: Int, number: Int): Future[Any] =
    Future.sequence(Vector.tabulate(number) { index =>
      val id = RDDBlockId(rdd, from + index)
      driver.blocks.ask[Boolean](
        UpdateBlockInfo(executor.blockManager, id, StorageLevel.MEMORY_AND_DISK, 1L << 20, 0L)
      )
    })

  /** A task's result with the accumulators of a task that ran. */
  private def encoded[T: ClassTag](task: Task[Any], value: T): ByteBuffer = {
    val metrics = task.metrics
    metrics.setExecutorRunTime(1000)
    metrics.setExecutorCpuTime(900000000L)
    metrics.setExecutorDeserializeTime(5)
    metrics.setJvmGCTime(10)
    val results = driver.env.serializer.newInstance()
    val bytes = SerializerHelper.serializeToChunkedBuffer(results, value)
    val result = new DirectTaskResult(bytes, metrics.nonZeroInternalAccums(), Array.empty[Long])
    SerializerHelper.serializeToChunkedBuffer(serializer, result).toByteBuffer
  }

  private def update(
      executor: ThinExecutor,
      its: TaskDescription,
      state: TaskState.TaskState,
      data: ByteBuffer
  ): Unit = driver.scheduler.send(
    StatusUpdate(executor.id, its.taskId, state, data, its.cpus, its.resources)
  )
}

private[scale] object Answers {

  /** Properties of jobs: the shuffle; an RDD's id and the number of cached blocks that each task reports; the number of
    * maps whose outputs are lost once so many tasks have begun.
    */
  val Shuffle = "scale.shuffle"
  val Cached = "scale.cached"
  val Failing = "scale.failing"
}
