package org.apache.spark.shuffle.hpc

import java.util.concurrent.{ConcurrentHashMap, RejectedExecutionException}
import java.util.concurrent.{ScheduledThreadPoolExecutor, TimeUnit}

import scala.collection.JavaConverters._
import scala.collection.mutable.ArrayBuffer
import scala.util.control.NonFatal

import com.google.common.util.concurrent.ThreadFactoryBuilder

import org.apache.spark.{SparkConf, TaskContext}
import org.apache.spark.hpc.container.{ContainerWriter, MapOutput, MergeWriter}
import org.apache.spark.internal.Logging
import org.apache.spark.internal.config.Hpc

/** Merges an executor's outputs of small blocks, each once, by a thread of low priority.
  *
  * A round merges the outputs of a container that were published since the last one: when they are
  * many, and when for a moment no map task of their shuffle runs here. What goes wrong costs nothing but
  * the merges: the first failure ends them all.
  *
  * @param limits which outputs are worth it
  */
private[hpc] final class BackgroundMerging(limits: BackgroundMerging.Limits, counts: RouteCounts)
    extends Merging
    with Logging {
  import BackgroundMerging._

  private val thread = new ScheduledThreadPoolExecutor(
    1,
    new ThreadFactoryBuilder().setDaemon(true).setPriority(Thread.MIN_PRIORITY)
      .setNameFormat("spark-hpc-merge").build()
  )
  thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false)
  private val shuffles = new ConcurrentHashMap[Int, Outputs]
  @volatile private var isOver = false
  private var total = 0L // bytes of the file system, once they are known

  /** Whether more is merged. */
  def isOn: Boolean = !isOver

  override def begins(shuffle: Int, task: TaskContext): Unit = {
    val outputs = of(shuffle)
    outputs.taskBegins()
    task.addTaskCompletionListener[Unit] { _ =>
      if (outputs.isLastTask()) later(PauseMillis)(if (outputs.isPaused) merge(outputs.rest()))
    }
  }

  override def published(
      container: ContainerFile,
      writer: ContainerWriter,
      output: => MapOutput
  ): Unit = if (!isOver) {
    val its = output
    if (limits.areSmall(its)) {
      for (round <- of(container.shuffle).and(container, writer, its)) later(0)(merge(Seq(round)))
    }
  }

  override def forget(shuffle: Int): Unit = Option(shuffles.remove(shuffle)).foreach(_.close())

  override def close(): Unit = {
    isOver = true
    thread.shutdown()
    shuffles.keySet.forEach(forget(_))
  }

  private def of(shuffle: Int): Outputs = shuffles.computeIfAbsent(shuffle, _ => new Outputs)

  private def later(millis: Long)(round: => Unit): Unit =
    try thread.schedule((() => round): Runnable, millis, TimeUnit.MILLISECONDS): Unit
    catch { case _: RejectedExecutionException => }

  private def merge(rounds: Seq[Round]): Unit =
    for (round <- rounds if !isOver && !round.from.isClosed)
      try {
        val merge = new MergeWriter(round.writer, round.outputs)
        if (isRoomFor(round, merge.size) && merge.write(() => !isOver && !round.from.isClosed)) {
          counts.mergedOutputs.inc(round.outputs.size.toLong)
          counts.mergedBytes.inc(merge.size)
        }
      } catch {
        case NonFatal(failure) =>
          if (!isOver && !round.from.isClosed) {
            isOver = true
            logWarning(s"Map outputs aren't merged any more, by this executor: $failure")
          }
      }

  /** Whether enough stays free for outputs. */
  private def isRoomFor(round: Round, bytes: Long): Boolean = {
    val directory = round.container.path.getParent.toFile
    // It is the same file system for all of them, and to ask is a request.
    if (total == 0) total = directory.getTotalSpace
    directory.getUsableSpace - bytes > total / PartFree
  }

  /** Those of one shuffle that aren't merged. */
  private final class Outputs {
    private val waiting = new ConcurrentHashMap[ContainerWriter, Round]
    private var tasks = 0
    @volatile var isClosed = false

    def taskBegins(): Unit = synchronized(tasks += 1)

    def isLastTask(): Boolean = synchronized {
      tasks -= 1
      tasks == 0
    }

    def isPaused: Boolean = synchronized(tasks == 0)

    /** With this one; what is to be merged now, if they are enough. */
    def and(container: ContainerFile, writer: ContainerWriter, output: MapOutput): Option[Round] =
      synchronized {
        val round = waiting.computeIfAbsent(writer, new Round(this, container, _))
        round.outputs += output
        round.bytes += output.size
        if (limits.areEnough(round.outputs.size, round.bytes)) Option(waiting.remove(writer))
        else None
      }

    /** All that are worth it. */
    def rest(): Seq[Round] = synchronized {
      val found = waiting.values.asScala.filter(_.outputs.size >= limits.least).toList
      found.foreach(round => waiting.remove(round.writer))
      found
    }

    def close(): Unit = isClosed = true
  }

  private final class Round(
      val from: Outputs,
      val container: ContainerFile,
      val writer: ContainerWriter
  ) {
    val outputs = new ArrayBuffer[MapOutput]
    var bytes = 0L
  }
}

private[hpc] object BackgroundMerging {
  // Longer than from one task to the next.
  private val PauseMillis = 200L
  // Of a file system's room a 20th stays free.
  private val PartFree = 20

  def of(conf: SparkConf, counts: RouteCounts): Merging = conf.get(Hpc.SHUFFLE_MERGE) match {
    case "always" => new BackgroundMerging(Limits.Always, counts)
    case "auto" => new BackgroundMerging(Limits.Auto, counts)
    case "never" => Merging.Never
  }

  /** @param least outputs of a merge
    * @param most outputs of a merge
    * @param meanBlock of an output: what is longer than that isn't merged
    */
  final case class Limits(least: Int, most: Int, meanBlock: Long) {

    def areSmall(output: MapOutput): Boolean = {
      val blocks = output.lengths(0, output.partitions).count(_ > 0)
      blocks > 0 && output.size < meanBlock * blocks
    }

    def areEnough(outputs: Int, bytes: Long): Boolean =
      outputs >= most || outputs >= least && bytes >= Limits.MostBytes
  }

  object Limits {
    private val MostBytes = 64L << 20

    // Above 48 KiB a block a read isn't what takes the time (docs/results/container-formats.md).
    val Auto = Limits(least = 8, most = 32, meanBlock = 48L << 10)
    val Always = Limits(least = 2, most = 32, meanBlock = Long.MaxValue >> 32)
  }
}
