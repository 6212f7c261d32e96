package org.apache.spark.storage.hpc.cache

import scala.reflect.ClassTag

import org.apache.spark.internal.Logging
import org.apache.spark.serializer.SerializerManager
import org.apache.spark.storage.{BlockId, RDDBlockId}
import org.apache.spark.storage.memory.hpc.Computations
import org.sparkhpc.retain.{DiskSpeed, SpillRules}

/** Checks whether a spill would keep the elements of a block ([[ElementForms]]), and measures the cost of serializing
  * them. An RDD with elements that a spill would not keep is not spilled, with one warning.
  */
private[storage] final class SpillableElements(
    serializers: SerializerManager,
    rules: SpillRules,
    counts: SpillCounts,
    speed: DiskSpeed
) extends Logging {
  private val forms = new ElementForms(serializers)

  /** The values; iteration throws a [[LosesState]] at the first value of which the serializer would lose a part. */
  def checked[T](tag: ClassTag[_], values: Iterator[T]): Iterator[T] = forms.checked(tag, values)

  /** Whether a spill would keep these elements. Other elements are checked when they are written. */
  def survive(blockId: RDDBlockId, tag: ClassTag[_], some: Seq[Any]): Boolean = {
    val lost = forms.lost(tag, some.iterator)
    lost.foreach(refuse(blockId, _))
    lost.isEmpty
  }

  /** Measures the cost of serializing elements of the RDD, once, if a spill would keep them: serializing elements of
    * unknown classes could change them, or never end.
    *
    * @param bytes the memory that each element takes
    */
  def measure[T](blockId: RDDBlockId, some: Seq[T], bytes: Long)(tag: ClassTag[T]): Unit =
    if (some.nonEmpty && !speed.isSampled(blockId.rddId) && rules.maySpill(blockId.rddId)) {
      val begun = System.nanoTime()
      if (survive(blockId, tag, some)) {
        val sample = SerializationSample.of(serializers, blockId, some, bytes)(tag)
          .getOrElse(SerializationSample(0, 0))
        speed.sampled(blockId.rddId, bytes * some.size, sample.write, sample.read)
      }
      Computations.exclude(System.nanoTime() - begun)
    }

  /** Called when a block could not be written because of its elements. */
  def failed(blockId: BlockId, failure: Throwable): Unit = {
    val why = LosesState.in(failure).getOrElse(s"their elements can't be serialized: $failure")
    blockId.asRDDId.foreach(refuse(_, why))
  }

  private def refuse(blockId: RDDBlockId, why: String): Unit = {
    counts.failedByElements.inc()
    if (rules.refuse(blockId.rddId)) {
      logWarning(
        s"Blocks of RDD ${blockId.rddId} are dropped, not spilled, when memory is short: $why"
      )
    }
  }
}
