package org.apache.spark.shuffle.hpc.read

import java.io.{Closeable, IOException}
import java.nio.ByteBuffer
import java.nio.file.NoSuchFileException
import java.util.concurrent.ConcurrentHashMap

import scala.collection.JavaConverters._
import scala.collection.mutable.ArrayBuffer
import scala.util.{Failure, Try}

import com.google.common.util.concurrent.Striped

import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.ContainerFile
import org.sparkhpc.container._
import org.sparkhpc.file.FilePool

/** Reads map outputs from the containers of all executors.
  *
  * A container is opened once, and its index is cached while there is room ([[IndexCache]]). If an output isn't in the cached
  * index, the records that were added since are read. If it still isn't found, or a block is damaged, the file is
  * opened again, because on some file systems only that shows what others wrote.
  */
private[hpc] final class ContainerFiles(pool: => FilePool, counts: RouteCounts)
    extends Closeable {
  import ContainerFiles._

  private val indexes = new IndexCache(Runtime.getRuntime.maxMemory / PartOfMemory)
  private val reading = Striped.lock(Locks)
  private val opened = ConcurrentHashMap.newKeySet[ContainerFile]()

  /** Reads blocks of a container. It calls `answer` once for each block, with its content or an IOException. */
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

  /** A reader of these blocks, for blocks that are too large for memory. Throws an IOException if the container doesn't
    * have them.
    */
  def reader(container: ContainerFile, blocks: Block*): ContainerReader = {
    val pooled = new Pooled(container)
    new ContainerReader(pooled, index(pooled, blocks))
  }

  /** How many reads these blocks take. If the index isn't cached, it assumes one for each block. */
  def reads(container: ContainerFile, blocks: Seq[Block]): Int =
    indexes.get(container)
      .flatMap { index =>
        Try(new ContainerReader(new Pooled(container), index).count(blocks)).toOption
      }
      .getOrElse(blocks.size)

  /** Whether this process has read from a container. */
  def isOpen(container: ContainerFile): Boolean = opened.contains(container)

  /** Whether the cached index of a container has this output. It needs no read. */
  def knows(container: ContainerFile, mapTaskId: Long): Boolean =
    indexes.get(container).exists(_.get(mapTaskId).nonEmpty)

  /** Whether a container has this output. */
  def has(container: ContainerFile, mapTaskId: Long): Boolean = {
    val block = Block(mapTaskId, 0, 0)
    index(new Pooled(container), Seq(block)).get(mapTaskId).nonEmpty
  }

  /** The bytes of memory that the cached indexes take. */
  def indexBytes: Long = indexes.bytes

  /** Closes all containers of a shuffle. */
  def forget(shuffle: Int): Unit = forgetIf(_.shuffle == shuffle)

  override def close(): Unit = forgetIf(_ => true)

  private def forgetIf(condition: ContainerFile => Boolean): Unit =
    for (container <- opened.asScala if condition(container)) {
      opened.remove(container)
      forget(container)
    }

  /** Whether one of these outputs is lost, according to the index and the length of the container. False if the
    * container can't be checked.
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
    indexes.forget(container)
    pool.forget(container.path.toString)
  }

  private def index(pooled: Pooled, blocks: Seq[Block]): ContainerIndex = {
    def isEnough(index: ContainerIndex) =
      blocks.forall(block => index.get(block.mapTaskId).nonEmpty)
    def known = indexes.get(pooled.container)
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
  // With a heap of 4 GB, this is room for the indexes of about 60 containers with 1,000 outputs of 1,000 partitions
  // each.
  private val PartOfMemory = 32
  private val Locks = 64
}
