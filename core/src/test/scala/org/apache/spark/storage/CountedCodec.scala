package org.apache.spark.storage

import java.io.{FilterOutputStream, InputStream, OutputStream}
import java.nio.charset.StandardCharsets.ISO_8859_1
import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.{SparkConf, SparkEnv}
import org.apache.spark.io.CompressionCodec

/** Compresses nothing; counts blocks of [[CountedCodec.Element]]s that Java's serialization writes, and what
  * is compressed under the memory manager's monitor.
  */
final class CountedCodec(conf: SparkConf) extends CompressionCodec {
  import CountedCodec._

  require(conf.getBoolean("spark.rdd.compress", defaultValue = false))

  override def compressedInputStream(in: InputStream): InputStream = in

  override def compressedOutputStream(out: OutputStream): OutputStream = {
    if (Thread.holdsLock(SparkEnv.get.memoryManager)) underMonitor.incrementAndGet()
    new FilterOutputStream(out) {
      private var isStart = true

      override def write(bytes: Array[Byte], offset: Int, count: Int): Unit = {
        if (isStart && count > Marker.length) {
          isStart = false // after the stream's header, which is written on its own
          if (new String(bytes, offset, count, ISO_8859_1).contains(Marker))
            written.incrementAndGet()
        }
        out.write(bytes, offset, count)
      }
    }
  }
}

object CountedCodec {
  final case class Element(index: Int, ballast: Array[Byte])

  object Element {
    def apply(index: Int): Element = new Element(index, new Array[Byte](ShortOfMemory.BlockBytes))
  }

  private val Marker = classOf[Element].getName

  val written, underMonitor = new AtomicInteger

  /** For cached blocks alone. */
  val settings: Seq[(String, String)] = Seq(
    "spark.io.compression.codec" -> classOf[CountedCodec].getName,
    "spark.rdd.compress" -> "true",
    "spark.broadcast.compress" -> "false",
    "spark.shuffle.compress" -> "false",
    "spark.shuffle.spill.compress" -> "false"
  )
}
