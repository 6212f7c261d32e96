package org.apache.spark.storage.hpc.cache

import java.nio.ByteBuffer

import scala.reflect.ClassTag

import org.apache.spark.network.client.StreamCallbackWithID
import org.apache.spark.storage.{BlockId, BlockResult, RDDBlockId, StorageLevel}
import org.apache.spark.storage.hpc.disk.Causes
import org.apache.spark.storage.memory.hpc.{Computations, SpillableLevel}

/** Puts cached blocks with a level that sends them to disk if they do not fit in memory.
  *
  * If a block's spill fails, the block is put again without a spill, or its values are computed for the reader without
  * being cached: no task fails because of a spill.
  */
private[storage] final class SpillingPuts(context: CacheContext, decisions: SpillDecisions) {
  import context.{elements, policy, spilled}

  private def unrolled: Long = context.inMemory.currentUnrollMemoryForThisTask

  /** @param put Spark's own implementation, given a level and a function that computes the values */
  def getOrElseUpdate[T](
      blockId: RDDBlockId,
      level: StorageLevel,
      classTag: ClassTag[T],
      makeIterator: () => Iterator[T]
  )(
      put: (StorageLevel, () => Iterator[T]) => Either[BlockResult, Iterator[T]]
  ): Either[BlockResult, Iterator[T]] = decisions.spillOf(level) match {
    case "never" => put(level, makeIterator)
    case spill =>
      context.beginSpilling()
      // A block that is serialized at once does not keep its values: a sample would hold them longer.
      val kept = if (level.deserialized) SerializationSample.Elements else 1
      val values = new WatchedValues(blockId, kept, makeIterator)
      val unrolledBefore = unrolled
      def bytes = unrolled - unrolledBefore
      val isAlways = spill == "always"
      def isWorthIt = isAlways || isWorthOverflowing(blockId, level, values, bytes)(classTag)
      def mayOverflow = isWorthIt && decisions.maySpill(blockId) &&
        elements.survive(blockId, classTag, values.sample)
      val spillable = new SpillableLevel(level, () => mayOverflow, isAlways)
      try {
        val result = put(spillable, () => values.iterator())
        if (spillable.useDisk) spilled.add(blockId)
        result
      } catch {
        case failure: Throwable
            if !values.failed && (spillable.useDisk || isUnreadable(blockId)) &&
              !Causes.isInterrupt(failure) =>
          // The values are partly consumed, and their unroll memory is still charged.
          val left = bytes
          if (left > 0) context.inMemory.releaseUnrollMemoryForThisTask(level.memoryMode, left)
          if (isGoneAfter(blockId, failure)) put(level, makeIterator) else Right(makeIterator())
      } finally {
        spillable.settle()
        values.dropSample()
      }
  }

  private def isWorthOverflowing[T](
      blockId: RDDBlockId,
      level: StorageLevel,
      values: WatchedValues[T],
      bytes: Long
  )(tag: ClassTag[T]): Boolean = {
    if (level.deserialized)
      elements.measure(blockId, values.sample, bytes / math.max(1, values.count))(tag)
    Computations.isWorthWriting(policy, blockId, bytes)
  }

  private def isUnreadable(blockId: BlockId) = context.levelOf(blockId).exists(_.unreadable)

  /** Called when a block's spill failed; true if nothing is left of the block, so that it can be put again. */
  private def isGoneAfter(blockId: RDDBlockId, failure: Throwable): Boolean =
    if (isUnreadable(blockId)) {
      spilled.discard(blockId)
    } else {
      decisions.failed(blockId, failure)
      true
    }

  /** Keeps a block that another executor sent.
    *
    * @param put Spark's own implementation, given a level
    */
  def sent[A](blockId: BlockId, level: StorageLevel)(put: StorageLevel => A): A = {
    val kept = levelOfSent(blockId, level)
    val result = put(kept)
    noteIfSpilled(blockId, kept)
    result
  }

  /** The same for a block that is sent as a stream. */
  def sentInPieces(blockId: BlockId, level: StorageLevel)(
      put: StorageLevel => StreamCallbackWithID
  ): StreamCallbackWithID = {
    val kept = levelOfSent(blockId, level)
    val callback = put(kept)
    new StreamCallbackWithID {
      override def getID: String = callback.getID
      override def onData(stream: String, bytes: ByteBuffer): Unit = callback.onData(stream, bytes)
      override def onFailure(stream: String, why: Throwable): Unit = callback.onFailure(stream, why)
      override def getCompletionResponse: ByteBuffer = callback.getCompletionResponse
      override def onComplete(stream: String): Unit = {
        callback.onComplete(stream)
        noteIfSpilled(blockId, kept)
      }
    }
  }

  /** The level of a block that another executor sent. It is serialized already, so a spill loses nothing. If that
    * executor was decommissioned, it is the only copy, so it is spilled even if it is cheap to compute.
    */
  private def levelOfSent(blockId: BlockId, level: StorageLevel): StorageLevel = blockId match {
    case rddBlock: RDDBlockId if decisions.spillOf(level) != "never" =>
      context.beginSpilling()
      new SpillableLevel(level, () => decisions.maySpill(rddBlock), isAlways = true)
    case _ => level
  }

  private def noteIfSpilled(blockId: BlockId, level: StorageLevel): Unit = (blockId, level) match {
    case (rddBlock: RDDBlockId, level: SpillableLevel) if level.useDisk => spilled.add(rddBlock)
    case _ =>
  }
}
