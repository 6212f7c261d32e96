package org.apache.spark.storage.memory.hpc

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.storage.{BlockId, BlockResult}
import org.sparkhpc.retain.{RetentionPolicy, SoFar}

/** Observes which cached blocks are read while another block is computed, and how long the computation takes.
  *
  * The scheduler's lineage has no costs, and executors do not have it. So this class infers lineage: the blocks that a
  * task requests while it computes a block are inputs of that block. This also holds if a helper thread requests them,
  * as for Python and pipes, or if the values of a block that is not cached are consumed later.
  */
private[storage] final class Computations(policy: RetentionPolicy[BlockId]) {
  import Computations._

  /** Observes a request for a block, which `put` fulfils, if need be by computing the block. */
  def observe[T](task: Long, block: BlockId, compute: () => Iterator[T])(
      put: (() => Iterator[T]) => Either[BlockResult, Iterator[T]]
  ): Either[BlockResult, Iterator[T]] = {
    val here = current.get
    val before = here.frame
    val reader = Option(before).filter(frame => frame.isOpen && frame.task == task)
    reader.foreach(_.reads(block))
    policy.requested(block, reader.map(_.block))
    val begun = System.nanoTime()
    var frame: Frame = null
    val isTimed = policy.wantsCost(block)
    try
      put { () =>
        if (isTimed) frame = new Frame(task, block)
        // From here on, reads are not inputs of the reader, even if they are not recorded.
        here.frame = frame
        compute()
      } match {
        case Right(values) if frame != null => Right(following(frame, values))
        case result =>
          if (frame != null) finish(frame)
          result
      }
    finally {
      here.frame = before
      reader.foreach(_.exclude(System.nanoTime() - begun))
    }
  }

  /** Observes values that are not cached: they are computed while they are consumed. */
  private def following[T](frame: Frame, values: Iterator[T]): Iterator[T] = new Iterator[T] {
    // Looked up once: needed for each element, mostly by one thread.
    private val thread = Thread.currentThread
    private val ours = current.get

    private def here: Current = if (Thread.currentThread eq thread) ours else current.get

    override def hasNext: Boolean = {
      val at = here
      val before = at.frame
      at.frame = frame
      val more =
        try values.hasNext
        finally at.frame = before
      if (!more) finish(frame)
      more
    }

    override def next(): T = {
      val at = here
      val before = at.frame
      at.frame = frame
      try values.next()
      finally at.frame = before
    }
  }

  private def finish(frame: Frame): Unit = frame.close().foreach { case (nanos, reads) =>
    policy.computed(frame.block, nanos, reads)
  }
}

private[storage] object Computations {

  /** A block being computed by a task. */
  private final class Frame(val task: Long, val block: BlockId) {
    private val begun = System.nanoTime()
    private var ended = Option.empty[Long]
    private var excluded = 0L
    private val read = new ArrayBuffer[BlockId](2)
    @volatile private var open = true

    def isOpen: Boolean = open

    def reads(block: BlockId): Unit = synchronized(if (open) read += block)

    def exclude(nanos: Long): Unit = synchronized(if (ended.isEmpty) excluded += nanos)

    /** Called when all values of the block have been computed. */
    def end(): Unit = synchronized { ended = Some(System.nanoTime()) }

    private def nanos: Long =
      math.max(0L, ended.getOrElse(System.nanoTime()) - begun - excluded)

    def soFar(bytes: Long): SoFar[BlockId] = synchronized {
      SoFar(nanos, bytes, read.toList, isWhole = ended.nonEmpty)
    }

    /** Returns the computing time and the blocks that were read; None if the frame is closed already. */
    def close(): Option[(Long, Seq[BlockId])] = synchronized {
      if (open) {
        open = false
        Some((nanos, read))
      } else {
        None
      }
    }
  }

  /** The block that a thread is computing; null if none. */
  private final class Current(var frame: Frame)

  // A thread that a computation starts belongs to the computation. A pool's thread may outlive it, so a frame has a
  // task, and is closed.
  private val current = new InheritableThreadLocal[Current] {
    override def initialValue: Current = new Current(null)
    override def childValue(parent: Current): Current = new Current(parent.frame)
  }

  /** Whether the block that this thread computes, and that does not fit in memory, should be written to disk.
    *
    * @param bytes the size of the part that was computed
    */
  def isWorthWriting(policy: RetentionPolicy[BlockId], block: BlockId, bytes: Long): Boolean = {
    // A block that is not timed now was timed before.
    val soFar = frameOf(block).map(_.soFar(bytes))
    policy.isWorthWriting(block, soFar.getOrElse(SoFar(Long.MaxValue, bytes, Nil)))
  }

  /** Excludes time of this thread from the cost of the block that it computes. */
  def exclude(nanos: Long): Unit = Option(current.get.frame).foreach(_.exclude(nanos))

  /** The same, but only if this thread computes `block`. */
  def exclude(block: BlockId, nanos: Long): Unit = frameOf(block).foreach(_.exclude(nanos))

  /** Called when all values of the block have been computed: later work is not part of its cost. */
  def isWhole(block: BlockId): Unit = frameOf(block).foreach(_.end())

  private def frameOf(block: BlockId): Option[Frame] =
    Option(current.get.frame).filter(_.block == block)
}
