package org.apache.spark.shuffle.hpc.read

import java.io.{Closeable, IOException}
import java.nio.ByteBuffer
import java.nio.file.NoSuchFileException
import java.util.concurrent.ConcurrentHashMap

import scala.collection.JavaConverters._
import scala.collection.mutable.ArrayBuffer
import scala.util.{Failure, Try}

import com.google.common.cache.{Cache, CacheBuilder}
import com.google.common.util.concurrent.Striped

import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.ContainerFile
import org.sparkhpc.container._
import org.sparkhpc.file.FilePool

/** Reads map outputs from the containers of all executors.
  *
  * A container is opened once, and its index is kept, as far as the bound on memory allows. When an
  * output isn't in an index that is kept, the records that came since are read; when it still isn't, or
  * what is read is no good, the file is opened anew, since on some file systems only that shows what
  * others wrote.
  */
private[hpc] final class ContainerFiles(pool: => FilePool, counts: RouteCounts)
    extends Closeable {
  import ContainerFiles._

  private val indexes: Cache[ContainerFile, ContainerIndex] =
    CacheBuilder.newBuilder()
      .concurrencyLevel(1) // each share of a cache has its own bound
      .maximumWeight(Runtime.getRuntime.maxMemory / PartOfMemory)
      .weigher((_: ContainerFile, index: ContainerIndex) =>
        math.min(index.weight, Int.MaxValue.toLong).toInt
      )
      .build()
  private val reading = Striped.lock(Locks)
  private val opened = ConcurrentHashMap.newKeySet[ContainerFile]()

  /** Reads blocks of a container; tells of each what it holds, or an IOException, once. */
  def read(
      container: ContainerFile,
      blocks: Seq[Block]
  )(answer: (Block, Try[ByteBuffer]) => Unit): Unit = {
    val pooled = new Pooled(container)
    val again = new ArrayBuffer[Block]
    read(pooled, blocks) {
      case (block, Failure(_: IOException)) => again += block: Unit
      case (block, content) => answer(block, content)
    }
    if (again.nonEmpty) {
      forget(container)
      read(pooled, again)(answer)
    }
  }

  private def read(pooled: Pooled, blocks: Seq[Block])(
      answer: (Block, Try[ByteBuffer]) => Unit
  ): Unit = Try(index(pooled, blocks)) match {
    case Failure(failure) => blocks.foreach(answer(_, Failure(failure)))
    case index =>
      val reads = new ContainerReader(pooled, index.get).read(blocks)(answer)
      counts.directReads.inc(reads.toLong)
  }

  /** A reader of these blocks, for what is too large for memory; an IOException if the container doesn't
    * have them.
    */
  def reader(container: ContainerFile, blocks: Block*): ContainerReader = {
    val pooled = new Pooled(container)
    new ContainerReader(pooled, index(pooled, blocks))
  }

  /** How many reads these blocks of a container take, as far as this process knows. */
  def reads(container: ContainerFile, blocks: Seq[Block]): Int =
    Option(indexes.getIfPresent(container))
      .flatMap { index =>
        Try(new ContainerReader(new Pooled(container), index).count(blocks)).toOption
      }
      .getOrElse(blocks.size)

  /** Whether this process has read of a container. */
  def isOpen(container: ContainerFile): Boolean = opened.contains(container)

  /** Whether a container has this output, as far as this process knows without a read. */
  def knows(container: ContainerFile, mapTaskId: Long): Boolean =
    Option(indexes.getIfPresent(container)).exists(_.get(mapTaskId).nonEmpty)

  /** Whether a container has this output. */
  def has(container: ContainerFile, mapTaskId: Long): Boolean = {
    val block = Block(mapTaskId, 0, 0)
    index(new Pooled(container), Seq(block)).get(mapTaskId).nonEmpty
  }

  /** What the indexes take in memory that are kept. */
  def indexBytes: Long = indexes.asMap.values.asScala.map(_.weight).sum

  /** Closes what is open of these shuffles. */
  def forget(shuffle: Int): Unit = forgetIf(_.shuffle == shuffle)

  override def close(): Unit = forgetIf(_ => true)

  private def forgetIf(condition: ContainerFile => Boolean): Unit =
    for (container <- opened.asScala if condition(container)) {
      opened.remove(container)
      forget(container)
    }

  /** Whether one of these outputs isn't there any more, as far as the index and the length of the
    * container say so; false when it can't be looked at.
    */
  def isLost(container: ContainerFile, mapTaskIds: Seq[Long]): Boolean =
    try {
      val bytes = new FileBytes(container.path)
      try {
        val index = ContainerIndex.read(bytes)
        mapTaskIds.exists(index.get(_).isEmpty) || ContainerIndex.cut(index, bytes.length).nonEmpty
      } finally bytes.close()
    } catch {
      case _: NoSuchFileException | _: DamagedContainer => true
      case _: IOException => false
    }

  private def forget(container: ContainerFile): Unit = {
    indexes.invalidate(container)
    pool.forget(container.path.toString)
  }

  private def index(pooled: Pooled, blocks: Seq[Block]): ContainerIndex = {
    def isEnough(index: ContainerIndex) =
      blocks.forall(block => index.get(block.mapTaskId).nonEmpty)
    def known = Option(indexes.getIfPresent(pooled.container))
    known.filter(isEnough).getOrElse {
      val lock = reading.get(pooled.container)
      lock.lock()
      try
        known.filter(isEnough).getOrElse {
          val read = known.fold(ContainerIndex.read(pooled))(_.readOn(pooled))
          indexes.put(pooled.container, read)
          read
        }
      finally lock.unlock()
    }
  }

  private final class Pooled(val container: ContainerFile) extends Bytes {
    override val name: String = container.path.toString
    opened.add(container)

    override def read(to: ByteBuffer, position: Long): Int = pool.read(name, to, position)
  }
}

private object ContainerFiles {
  // With a heap of 4 GB, the indexes of some 60 containers with 1,000 outputs of 1,000 partitions each.
  private val PartOfMemory = 32
  private val Locks = 64
}
