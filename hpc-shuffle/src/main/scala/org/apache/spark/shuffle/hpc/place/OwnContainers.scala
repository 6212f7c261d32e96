package org.apache.spark.shuffle.hpc.place

import java.io.{Closeable, IOException}
import java.util.concurrent.ConcurrentHashMap

import scala.annotation.tailrec
import scala.collection.JavaConverters._
import scala.collection.mutable

import com.codahale.metrics.Counter
import com.google.common.cache.{Cache, CacheBuilder, RemovalNotification}

import org.apache.spark.TaskContext
import org.sparkhpc.container.{ContainerWriter, OutputWriter}

/** The containers that this executor writes, and the container of each of its outputs.
  *
  * Each shuffle has one container in each place. Each further attempt of the map stage has another one, because the
  * container of an earlier attempt may be deleted or damaged. When a container's index is full, the writer starts
  * another container.
  */
private[hpc] final class OwnContainers(places: => Places) extends Closeable {
  import OwnContainers._

  private lazy val allPlaces = places
  private val shuffles = new ConcurrentHashMap[Int, Containers]
  private val sortedOutputs = new ConcurrentHashMap[(Int, Long), Pending]

  /** Begins an output. It is abandoned if its task ends before it is published. */
  def begin(shuffle: Int, partitions: Int): Pending = {
    val task = Option(TaskContext.get())
    val containers = shuffles.computeIfAbsent(shuffle, new Containers(_))
    val attempt = task.fold(NoTask)(its => Attempt(its.stageId, its.stageAttemptNumber))
    val pending = containers.begin(attempt, partitions)
    task.foreach(_.addTaskCompletionListener[Unit](_ => pending.output.abandon()))
    pending
  }

  /** Like [[begin]], for an output that is written before Spark asks for its writer: see [[sorted]]. */
  def beginSorted(shuffle: Int, mapTaskId: Long, partitions: Int): Pending = {
    val pending = begin(shuffle, partitions)
    sortedOutputs.put((shuffle, mapTaskId), pending)
    Option(TaskContext.get())
      .foreach(_.addTaskCompletionListener[Unit](_ => sorted(shuffle, mapTaskId): Unit))
    pending
  }

  /** Removes and returns an output of [[beginSorted]], to be published. None if there is none. */
  def sorted(shuffle: Int, mapTaskId: Long): Option[Pending] =
    Option(sortedOutputs.remove((shuffle, mapTaskId)))

  /** Outputs that were published in places of each kind, and outputs that continued in another container. */
  val byKind: Map[String, Counter] = Places.Kinds.map(_ -> new Counter).toMap
  val moved = new Counter

  /** The container that has an output of this executor; None if there is none. */
  def containerOf(shuffle: Int, mapTaskId: Long): Option[Made] =
    Option(shuffles.get(shuffle)).flatMap(containers => Option(containers.published.get(mapTaskId)))

  /** All containers of this executor. */
  def all: Seq[ContainerWriter] = shuffles.values.asScala.toSeq.flatMap(_.writers)

  /** Shuffle and map task of each published output. */
  def outputs: Seq[(Int, Long)] =
    for {
      (shuffle, containers) <- shuffles.asScala.toSeq
      mapTaskId <- containers.published.keySet.asScala
    } yield (shuffle, mapTaskId)

  def forget(shuffle: Int): Unit =
    for (containers <- Option(shuffles.remove(shuffle))) {
      containers.close()
      allPlaces.remove(shuffle)
    }

  override def close(): Unit = shuffles.keySet.forEach(forget(_))

  // Only the containers that were written to last keep their files open.
  private val open: Cache[ContainerWriter, Object] =
    CacheBuilder.newBuilder()
      .maximumSize(MostOpen)
      .removalListener((removed: RemovalNotification[ContainerWriter, Object]) =>
        if (removed.wasEvicted) removed.getKey.rest()
      )
      .build()

  /** The containers of one shuffle. */
  private final class Containers(shuffle: Int) {
    private val present = mutable.Map.empty[(Attempt, Places.Place), Made]
    private val all = new ConcurrentHashMap[ContainerWriter, Made]
    private var begunFiles = 0 // including files that couldn't be created
    private var isClosed = false
    val published = new ConcurrentHashMap[Long, Made]

    def begin(attempt: Attempt, partitions: Int): Pending = {
      val first = lease(attempt, partitions, Set.empty, None)
      val output = new OutputWriter(
        first,
        partitions,
        (refused, last) => lease(attempt, partitions, refused.map(placeOf), Some(last))
      )
      def note(mapTaskId: Long): Unit = {
        val made = all.get(output.container)
        published.put(mapTaskId, made)
        byKind.get(made.place.kind).foreach(_.inc())
        if (output.container ne first.container) moved.inc()
      }
      new Pending(output, note(_))
    }

    private def placeOf(container: ContainerWriter): Places.Place = all.get(container).place

    /** @param but the places that have refused the output */
    @tailrec private def lease(
        attempt: Attempt,
        partitions: Int,
        but: Set[Places.Place],
        refusal: Option[ContainerWriter.Refusal]
    ): ContainerWriter.Lease = {
      val place = allPlaces.next(but, refusal)
      val found =
        try Right(leaseAt(place, attempt, partitions))
        catch { case another: ContainerWriter.Refusal => Left(another) }
      found match {
        case Right(lease) => lease
        case Left(another) => lease(attempt, partitions, but + place, Some(another))
      }
    }

    private def leaseAt(
        place: Places.Place,
        attempt: Attempt,
        partitions: Int
    ): ContainerWriter.Lease = synchronized {
      if (isClosed) throw new IOException(s"Shuffle $shuffle is removed")
      def begun = for {
        made <- present.get((attempt, place))
        lease <- made.writer.lease(partitions)
      } yield {
        open.put(made.writer, made)
        lease
      }
      begun.getOrElse {
        present((attempt, place)) = make(place, partitions)
        begun.get
      }
    }

    private def make(place: Places.Place, partitions: Int): Made = {
      val name = begunFiles.toString
      begunFiles += 1
      val (path, writer) = place.make(shuffle, name, partitions)
      val made = new Made(name, ContainerFile(shuffle, path), writer, place)
      all.put(writer, made)
      made
    }

    def writers: Seq[ContainerWriter] = all.keySet.asScala.toSeq

    def close(): Unit = synchronized {
      isClosed = true
      writers.foreach(_.close())
    }
  }
}

private[hpc] object OwnContainers {
  private val MostOpen = 256

  private final case class Attempt(stage: Int, number: Int)

  // For writes outside of a task, as in Spark's own tests.
  private val NoTask = Attempt(-1, -1)

  /** A container of this executor.
    *
    * @param name its name among those of its shuffle
    */
  final class Made(
      val name: String,
      val file: ContainerFile,
      private[OwnContainers] val writer: ContainerWriter,
      private[OwnContainers] val place: Places.Place
  )

  /** An output that is being written. */
  final class Pending(val output: OutputWriter, note: Long => Unit) {
    def publish(mapTaskId: Long, lengths: Array[Long]): Unit = {
      output.publish(mapTaskId, lengths)
      note(mapTaskId)
    }
  }
}
