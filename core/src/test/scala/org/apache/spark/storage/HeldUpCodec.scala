package org.apache.spark.storage

import java.io.{FilterOutputStream, InputStream, OutputStream}
import java.nio.charset.StandardCharsets.ISO_8859_1
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.locks.ReentrantReadWriteLock

import org.apache.spark.{SparkConf, SparkEnv}
import org.apache.spark.io.CompressionCodec

/** Compresses nothing; who writes a block of [[HeldUpCodec.Element]]s by Java's serialization can be held
  * up in it.
  */
final class HeldUpCodec(conf: SparkConf) extends CompressionCodec {
  import HeldUpCodec._

  require(conf.getBoolean("spark.rdd.compress", defaultValue = false))

  override def compressedInputStream(in: InputStream): InputStream = in

  override def compressedOutputStream(out: OutputStream): OutputStream = {
    if (Thread.holdsLock(SparkEnv.get.memoryManager)) underMonitor.incrementAndGet()
    new FilterOutputStream(out) {
      private var isStart = true

      override def write(bytes: Array[Byte], offset: Int, count: Int): Unit = {
        if (isStart && count > Marker.length) {
          isStart = false // after the stream's header, which is written on its own
          if (new String(bytes, offset, count, ISO_8859_1).contains(Marker)) pass()
        }
        out.write(bytes, offset, count)
      }
    }
  }

  private def pass(): Unit = {
    waiting.incrementAndGet()
    gate.readLock().lock()
    gate.readLock().unlock()
    waiting.decrementAndGet()
    written.incrementAndGet(): Unit
  }
}

object HeldUpCodec {
  final case class Element(index: Int, ballast: Array[Byte])

  object Element {
    def apply(index: Int): Element = new Element(index, new Array[Byte](ShortOfMemory.BlockBytes))
  }

  private val Marker = classOf[Element].getName

  val waiting, written, underMonitor = new AtomicInteger
  private val gate = new ReentrantReadWriteLock

  /** For cached blocks alone. */
  val settings: Seq[(String, String)] = Seq(
    "spark.io.compression.codec" -> classOf[HeldUpCodec].getName,
    "spark.rdd.compress" -> "true",
    "spark.broadcast.compress" -> "false",
    "spark.shuffle.compress" -> "false",
    "spark.shuffle.spill.compress" -> "false"
  )

  /** No block of them that is to be written during `body` gets on before its end. */
  def holdingUp[A](body: => A): A = {
    gate.writeLock().lock()
    try body
    finally gate.writeLock().unlock()
  }
}
