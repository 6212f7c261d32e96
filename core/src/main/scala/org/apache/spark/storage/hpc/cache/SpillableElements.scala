package org.apache.spark.storage.hpc.cache

import scala.reflect.ClassTag

import org.apache.spark.internal.Logging
import org.apache.spark.serializer.SerializerManager
import org.apache.spark.storage.{BlockId, RDDBlockId}
import org.apache.spark.storage.memory.hpc.Computations
import org.sparkhpc.retain.{DiskSpeed, SpillRules}

/** Knows of the elements of blocks whether a spill keeps them ([[ElementForms]]), and what serializing
  * them takes. An RDD with elements that a spill doesn't keep is refused, with one warning.
  */
private[storage] final class SpillableElements(
    serializers: SerializerManager,
    rules: SpillRules,
    counts: SpillCounts,
    speed: DiskSpeed
) extends Logging {
  private val forms = new ElementForms(serializers)

  /** The values, until the first that would lose something: there a [[LosesState]] is thrown. */
  def checked[T](tag: ClassTag[_], values: Iterator[T]): Iterator[T] = forms.checked(tag, values)

  /** Whether nothing would be lost of these; of others it is seen when they are written. */
  def survive(blockId: RDDBlockId, tag: ClassTag[_], some: Seq[Any]): Boolean = {
    val lost = forms.lost(tag, some.iterator)
    lost.foreach(refuse(blockId, _))
    lost.isEmpty
  }

  /** Measures what serializing elements of the RDD takes, once, if nothing would be lost of them: of what isn't known
    * serializing could change the elements, or have no end.
    *
    * @param bytes that each takes in memory
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

  /** A block couldn't be written for what it is made of. */
  def failed(blockId: BlockId, failure: Throwable): Unit = {
    val why = LosesState.in(failure).getOrElse(s"their elements can't be serialized: $failure")
    blockId.asRDDId.foreach(refuse(_, why))
  }

  private def refuse(blockId: RDDBlockId, why: String): Unit = {
    counts.failedByElements.inc()
    if (rules.refuse(blockId.rddId)) {
      logWarning(
        s"Blocks of RDD ${blockId.rddId} are dropped from memory when it is short, not spilled: $why"
      )
    }
  }
}
