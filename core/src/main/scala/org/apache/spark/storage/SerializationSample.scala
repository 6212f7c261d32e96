package org.apache.spark.storage

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}

import scala.reflect.ClassTag
import scala.util.Try

import org.apache.spark.serializer.SerializerManager

/** What it takes to serialize some elements of a block and to read them again; nanoseconds. */
private[storage] final case class SerializationSample(write: Long, read: Long)

private[storage] object SerializationSample {

  /** So many elements tell enough of small ones. */
  val Elements = 64

  private val MostBytes = 256L << 10

  /** None if the elements are too large for a sample, or can't be serialized.
    *
    * @param bytes that each takes in memory
    */
  def of[T](serializers: SerializerManager, block: BlockId, elements: Seq[T], bytes: Long)(
      tag: ClassTag[T]
  ): Option[SerializationSample] = {
    def take(): SerializationSample = {
      val begun = System.nanoTime()
      val out = new ByteArrayOutputStream
      serializers.dataSerializeStream(block, out, elements.iterator)(tag)
      val written = System.nanoTime()
      val in = new ByteArrayInputStream(out.toByteArray)
      serializers.dataDeserializeStream(block, in)(tag).foreach(_ => ())
      SerializationSample(written - begun, System.nanoTime() - written)
    }
    // What classes take that are used for the first time isn't a block's.
    if (bytes * elements.size > MostBytes) None else Try { take(); take() }.toOption
  }
}
