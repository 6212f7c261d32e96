package org.apache.spark.shuffle.hpc

import java.io.{Closeable, IOException, OutputStream}
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.file.NoSuchFileException
import java.nio.file.StandardOpenOption.READ
import java.util.concurrent.ConcurrentHashMap

import scala.collection.JavaConverters._
import scala.collection.mutable.ArrayBuffer
import scala.util.{Failure, Try}

import com.google.common.cache.{Cache, CacheBuilder}
import com.google.common.util.concurrent.Striped

import org.apache.spark.hpc.container._
import org.apache.spark.hpc.file.FilePool

/** Reads map outputs from the containers of all executors.
  *
  * A container is opened once, and its index is kept, as far as the bound on memory allows. When an
  * output isn't in an index that is kept, the records that came since are read; when it still isn't, or
  * what is read is no good, the file is opened anew, since on some file systems only that shows what
  * others wrote.
  */
private[hpc] final class ContainerFiles(
    directory: => OutputDirectory,
    pool: => FilePool,
    counts: RouteCounts
) extends Closeable {
  import ContainerFiles._

  private val indexes: Cache[OutputPlace, ContainerIndex] =
    CacheBuilder.newBuilder()
      .concurrencyLevel(1) // each share of a cache has its own bound
      .maximumWeight(Runtime.getRuntime.maxMemory / PartOfMemory)
      .weigher((_: OutputPlace, index: ContainerIndex) =>
        math.min(index.weight, Int.MaxValue.toLong).toInt
      )
      .build()
  private val reading = Striped.lock(Locks)
  private val opened = ConcurrentHashMap.newKeySet[OutputPlace]()

  /** Reads blocks of a place; tells of each what it holds, or an IOException, once. */
  def read(
      place: OutputPlace,
      blocks: Seq[Block]
  )(answer: (Block, Try[ByteBuffer]) => Unit): Unit = {
    val file = new Pooled(place)
    val again = new ArrayBuffer[Block]
    read(file, blocks) {
      case (block, Failure(_: IOException)) => again += block: Unit
      case (block, content) => answer(block, content)
    }
    if (again.nonEmpty) {
      forget(place)
      read(file, again)(answer)
    }
  }

  private def read(file: Pooled, blocks: Seq[Block])(
      answer: (Block, Try[ByteBuffer]) => Unit
  ): Unit = Try(index(file, blocks)) match {
    case Failure(failure) => blocks.foreach(answer(_, Failure(failure)))
    case index =>
      counts.directReads.inc(new ContainerReader(file, index.get).read(blocks)(answer).toLong)
  }

  /** As [[read]], for what is too large for memory; what was written of it is no use after an
    * IOException.
    */
  def copy(place: OutputPlace, block: Block, to: OutputStream): Unit = {
    val file = new Pooled(place)
    new ContainerReader(file, index(file, Seq(block))).copy(block, to)
  }

  /** Closes what is open of these shuffles. */
  def forget(shuffle: Int): Unit = forgetIf(_.shuffle == shuffle)

  override def close(): Unit = forgetIf(_ => true)

  private def forgetIf(condition: OutputPlace => Boolean): Unit =
    for (place <- opened.asScala if condition(place)) {
      opened.remove(place)
      forget(place)
    }

  /** Whether one of these outputs isn't at its place any more, as far as the index and the length of
    * the container say so; false when it can't be looked at.
    */
  def isLost(place: OutputPlace, mapTaskIds: Seq[Long]): Boolean =
    try {
      val channel = FileChannel.open(path(place), READ)
      try {
        val index = ContainerIndex.read(new Bytes {
          override def name: String = path(place).toString
          override def read(to: ByteBuffer, position: Long): Int = channel.read(to, position)
        })
        mapTaskIds.exists(index.get(_).isEmpty) ||
        ContainerIndex.cut(index, channel.size).nonEmpty
      } finally channel.close()
    } catch {
      case _: NoSuchFileException | _: DamagedContainer => true
      case _: IOException => false
    }

  private def path(place: OutputPlace) =
    directory.container(place.shuffle, place.executor, place.container)

  private def forget(place: OutputPlace): Unit = {
    indexes.invalidate(place)
    pool.forget(path(place).toString)
  }

  private def index(file: Pooled, blocks: Seq[Block]): ContainerIndex = {
    def isEnough(index: ContainerIndex) =
      blocks.forall(block => index.get(block.mapTaskId).nonEmpty)
    Option(indexes.getIfPresent(file.place)).filter(isEnough).getOrElse {
      val lock = reading.get(file.place)
      lock.lock()
      try {
        val known = Option(indexes.getIfPresent(file.place))
        known.filter(isEnough).getOrElse {
          val read = known.fold(ContainerIndex.read(file))(_.readOn(file))
          indexes.put(file.place, read)
          read
        }
      } finally lock.unlock()
    }
  }

  private final class Pooled(val place: OutputPlace) extends Bytes {
    override val name: String = path(place).toString
    opened.add(place)

    override def read(to: ByteBuffer, position: Long): Int = pool.read(name, to, position)
  }
}

private object ContainerFiles {
  // With a heap of 4 GB, the indexes of some 60 containers with 1,000 outputs of 1,000 partitions each.
  private val PartOfMemory = 32
  private val Locks = 64
}
