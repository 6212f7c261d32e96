package org.apache.spark.shuffle.hpc

import java.io.{Closeable, IOException}
import java.nio.file.NoSuchFileException
import java.util.concurrent.ConcurrentHashMap

import scala.collection.mutable
import scala.collection.mutable.ArrayBuffer

import com.google.common.cache.{Cache, CacheBuilder, RemovalNotification}

import org.apache.spark.TaskContext
import org.apache.spark.hpc.container.{ContainerWriter, OutputWriter}

/** The containers to which this executor writes, and which of its outputs is in which.
  *
  * One for each shuffle, and another one for each further attempt of the map stage: what is computed again
  * mustn't go to a file that is deleted or damaged. Then as many more as an index has no room for.
  */
private[hpc] final class OwnContainers(
    directory: => OutputDirectory,
    forced: => Boolean,
    executor: => String
) extends Closeable {
  import OwnContainers._

  private lazy val isForced = forced
  private val shuffles = new ConcurrentHashMap[Int, Containers]
  private val sortedOutputs = new ConcurrentHashMap[(Int, Long), Pending]

  /** Begins an output; it is given up when its task ends before it was published. */
  def begin(shuffle: Int, partitions: Int): Pending = {
    val task = TaskContext.get()
    val containers = shuffles.computeIfAbsent(shuffle, new Containers(_))
    val pending = containers.begin(task.stageId, task.stageAttemptNumber, partitions)
    task.addTaskCompletionListener[Unit](_ => pending.output.abandon())
    pending
  }

  /** As [[begin]], for an output that is written before anybody asks for its writer: see [[sorted]]. */
  def beginSorted(shuffle: Int, mapTaskId: Long, partitions: Int): Pending = {
    val pending = begin(shuffle, partitions)
    sortedOutputs.put((shuffle, mapTaskId), pending)
    TaskContext.get().addTaskCompletionListener[Unit](_ => sorted(shuffle, mapTaskId): Unit)
    pending
  }

  /** An output that was begun so, to be published; None if it wasn't. */
  def sorted(shuffle: Int, mapTaskId: Long): Option[Pending] =
    Option(sortedOutputs.remove((shuffle, mapTaskId)))

  /** The container that has an output of this executor; None if there is none. */
  def containerOf(shuffle: Int, mapTaskId: Long): Option[String] =
    Option(shuffles.get(shuffle)).flatMap(containers => Option(containers.published.get(mapTaskId)))

  def forget(shuffle: Int): Unit = Option(shuffles.remove(shuffle)).foreach(_.close())

  override def close(): Unit = shuffles.keySet.forEach(forget(_))

  // Of many shuffles only those that were written to last keep their files open.
  private val open: Cache[ContainerWriter, Object] =
    CacheBuilder.newBuilder()
      .maximumSize(MostOpen)
      .removalListener((removed: RemovalNotification[ContainerWriter, Object]) =>
        if (removed.wasEvicted) removed.getKey.rest()
      )
      .build()

  /** Those of one shuffle. */
  private final class Containers(shuffle: Int) {
    private val present = mutable.Map.empty[(Int, Int), (String, ContainerWriter)]
    private val all = new ArrayBuffer[ContainerWriter]
    private var begunFiles = 0 // those that couldn't be written, too
    private var isClosed = false
    val published = new ConcurrentHashMap[Long, String]

    def begin(stage: Int, attempt: Int, partitions: Int): Pending = synchronized {
      if (isClosed) throw new IOException(s"Shuffle $shuffle is removed")
      def begun = for {
        (name, writer) <- present.get((stage, attempt))
        output <- writer.begin(partitions)
      } yield {
        open.put(writer, name)
        new Pending(output, published.put(_, name))
      }
      begun.getOrElse {
        present((stage, attempt)) = create(partitions)
        begun.get
      }
    }

    private def create(partitions: Int): (String, ContainerWriter) = {
      val name = begunFiles.toString
      begunFiles += 1
      val path = directory.container(shuffle, executor, name)
      def make = ContainerWriter.create(path, shuffle, partitions, isForced)
      val writer =
        try make
        catch {
          case _: NoSuchFileException =>
            directory.make(shuffle)
            make
        }
      all += writer
      (name, writer)
    }

    def close(): Unit = synchronized {
      isClosed = true
      all.foreach(_.close())
    }
  }
}

private[hpc] object OwnContainers {
  private val MostOpen = 256

  /** An output that is being written. */
  final class Pending(val output: OutputWriter, note: Long => Unit) {
    def publish(mapTaskId: Long, lengths: Array[Long]): Unit = {
      output.publish(mapTaskId, lengths)
      note(mapTaskId)
    }
  }
}
