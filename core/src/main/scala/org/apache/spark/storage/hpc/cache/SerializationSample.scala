package org.apache.spark.storage.hpc.cache

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}
import java.lang.management.ManagementFactory

import scala.reflect.ClassTag
import scala.util.Try

import org.apache.spark.serializer.SerializerManager
import org.apache.spark.storage.BlockId

/** What it takes to serialize some elements of a block and to read them again; nanoseconds of CPU time, in
  * which nothing counts that others do meanwhile.
  */
private[storage] final case class SerializationSample(write: Long, read: Long)

private[storage] object SerializationSample {

  /** So many elements tell enough of small ones. */
  val Elements = 64

  private val MostBytes = 256L << 10
  private val Passes = 3
  private val threads = ManagementFactory.getThreadMXBean

  /** None if the elements are too large for a sample, or can't be serialized.
    *
    * @param bytes that each takes in memory
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
    // What classes take that are used for the first time isn't a block's: the least counts.
    if (bytes * elements.size > MostBytes) None
    else Try(Seq.fill(Passes)(take())).toOption.map { taken =>
      SerializationSample(taken.map(_.write).min, taken.map(_.read).min)
    }
  }
}
