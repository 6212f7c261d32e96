package org.apache.spark.storage.memory.hpc

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.storage.{BlockId, BlockResult}
import org.sparkhpc.retain.{RetentionPolicy, SoFar}

/** Sees which cached blocks are read while another one is computed, and how long that takes.
  *
  * Lineage as the scheduler knows it has no costs, and executors don't have it. What a task asks for
  * while a block of it is being computed is what that block is computed from, also when a helper
  * thread asks, as for Python and pipes, or when the values of a block that isn't kept are used
  * later.
  */
private[storage] final class Computations(policy: RetentionPolicy[BlockId]) {
  import Computations._

  /** Watches a block being got, by `put`, which may compute it. */
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
        // What is read now isn't the reader's, whether it is noted or not.
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

  /** Values that aren't kept; they are computed as they are used. */
  private def following[T](frame: Frame, values: Iterator[T]): Iterator[T] = new Iterator[T] {
    // Looked up once: this is done for each element, mostly by one thread.
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

    /** All of its values are there. */
    def end(): Unit = synchronized { ended = Some(System.nanoTime()) }

    private def nanos: Long =
      math.max(0L, ended.getOrElse(System.nanoTime()) - begun - excluded)

    def soFar(bytes: Long): SoFar[BlockId] = synchronized {
      SoFar(nanos, bytes, read.toList, isWhole = ended.nonEmpty)
    }

    /** The time it took, and what it read; None if it was closed before. */
    def close(): Option[(Long, Seq[BlockId])] = synchronized {
      if (open) {
        open = false
        Some((nanos, read))
      } else {
        None
      }
    }
  }

  /** What a thread computes now; null for nothing. */
  private final class Current(var frame: Frame)

  // Threads that a computation starts are its own. A pool's thread may live longer than that: hence
  // a frame's task, and its end.
  private val current = new InheritableThreadLocal[Current] {
    override def initialValue: Current = new Current(null)
    override def childValue(parent: Current): Current = new Current(parent.frame)
  }

  /** Whether the block that this thread computes should be written, as it doesn't fit in memory.
    *
    * @param bytes of it that were computed
    */
  def isWorthWriting(policy: RetentionPolicy[BlockId], block: BlockId, bytes: Long): Boolean = {
    // One that isn't timed was before.
    val soFar = frameOf(block).map(_.soFar(bytes))
    policy.isWorthWriting(block, soFar.getOrElse(SoFar(Long.MaxValue, bytes, Nil)))
  }

  /** What this thread did isn't part of the block that it computes. */
  def exclude(nanos: Long): Unit = Option(current.get.frame).foreach(_.exclude(nanos))

  /** The same, if it computes this block. */
  def exclude(block: BlockId, nanos: Long): Unit = frameOf(block).foreach(_.exclude(nanos))

  /** All values of the block were computed; what is done from now on is no part of it. */
  def isWhole(block: BlockId): Unit = frameOf(block).foreach(_.end())

  private def frameOf(block: BlockId): Option[Frame] =
    Option(current.get.frame).filter(_.block == block)
}
