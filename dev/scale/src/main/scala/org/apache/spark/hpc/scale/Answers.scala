package org.apache.spark.hpc.scale

import java.nio.ByteBuffer
import java.util.Arrays
import java.util.concurrent.atomic.AtomicLong

import scala.concurrent.{ExecutionContext, Future}
import scala.reflect.ClassTag

import org.apache.spark.{GetMapOutputStatuses, TaskState}
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

/** What thin executors answer for tasks, at once: map statuses with `reducers` blocks, and results. The first task of a
  * shuffle's reducer on an executor asks for the map statuses; a task of a job with [[Answers.Cached]] reports cached
  * blocks.
  */
private[scale] final class Answers(driver: Driver, reducers: Int, isShared: Boolean) {
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

  def run(executor: ThinExecutor, its: TaskDescription): Unit = {
    update(executor, its, TaskState.RUNNING, ByteBuffer.allocate(0))
    val task = serializer.deserialize[Task[Any]](
      its.serializedTask,
      Thread.currentThread.getContextClassLoader
    )
    val shuffle = its.properties.getProperty(Shuffle).toInt
    val isMap = (task: Any).isInstanceOf[ShuffleMapTask]
    val before: Future[Any] =
      if (isMap) Future.unit
      else if (its.properties.getProperty(Cached) != null) {
        val Array(rdd, blocks) = its.properties.getProperty(Cached).split(",").map(_.toInt)
        cache(executor, rdd, its.partitionId * blocks, blocks)
      } else statuses(executor, shuffle)
    before.foreach { _ =>
      val result =
        if (isMap) encoded(task, output(executor, shuffle, its.taskId)) else encoded(task, 1)
      update(executor, its, TaskState.FINISHED, result)
    }
  }

  private def output(executor: ThinExecutor, shuffle: Int, mapTaskId: Long): MapStatus = {
    val place =
      if (isShared) SharedPlaces.of(executor.blockManager, shuffle) else executor.blockManager
    MapStatus(place, sizes, mapTaskId)
  }

  private def statuses(executor: ThinExecutor, shuffle: Int): Future[Any] =
    if (executor.known.add(shuffle))
      driver.outputs.ask[Array[Byte]](GetMapOutputStatuses(shuffle))
        .map(bytes => statusBytes.addAndGet(bytes.length.toLong))
    else Future.unit

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

  /** Properties of jobs: the shuffle; an RDD's id and the number of cached blocks that each task reports. */
  val Shuffle = "scale.shuffle"
  val Cached = "scale.cached"
}
