package org.apache.spark.storage.hpc.cache

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}
import java.lang.management.ManagementFactory

import scala.reflect.ClassTag
import scala.util.Try

import org.apache.spark.serializer.SerializerManager
import org.apache.spark.storage.BlockId

/** The cost of serializing some elements of a block and of reading them back, in nanoseconds of CPU time, which
  * excludes the work of other threads.
  */
private[storage] final case class SerializationSample(write: Long, read: Long)

private[storage] object SerializationSample {

  /** The number of elements in a sample; enough for small elements. */
  val Elements = 64

  private val MostBytes = 256L << 10
  private val Passes = 3
  private val threads = ManagementFactory.getThreadMXBean

  /** None if the elements are too large for a sample, or can't be serialized.
    *
    * @param bytes the memory that each element takes
    */
  def of[T](serializers: SerializerManager, block: BlockId, elements: Seq[T], bytes: Long)(
      tag: ClassTag[T]
  ): Option[SerializationSample] = {
    def take(): SerializationSample = {
      val begun = threads.getCurrentThreadCpuTime
      val out = new ByteArrayOutputStream
      serializers.dataSerializeStream(block, out, elements.iterator)(tag)
      val written = threads.getCurrentThreadCpuTime
      val in = new ByteArrayInputStream(out.toByteArray)
      serializers.dataDeserializeStream(block, in)(tag).foreach(_ => ())
      SerializationSample(written - begun, threads.getCurrentThreadCpuTime - written)
    }
    // The minimum counts, since the first use of a class takes longer.
    if (bytes * elements.size > MostBytes) None
    else Try(Seq.fill(Passes)(take())).toOption.map { taken =>
      SerializationSample(taken.map(_.write).min, taken.map(_.read).min)
    }
  }
}
