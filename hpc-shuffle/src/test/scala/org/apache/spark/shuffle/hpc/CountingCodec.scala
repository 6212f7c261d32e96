package org.apache.spark.shuffle.hpc

import java.io.{FilterInputStream, FilterOutputStream, IOException, InputStream, OutputStream}
import java.util.concurrent.atomic.{AtomicBoolean, AtomicInteger}

import org.apache.spark.{SparkConf, TaskContext}
import org.apache.spark.io.{CompressionCodec, LZ4CompressionCodec}

/** A codec whose streams are counted as those of Zstandard are in native memory: from their begin to their
  * first `close`.
  */
final class CountingCodec(conf: SparkConf) extends CompressionCodec {
  import CountingCodec._

  private val codec = new LZ4CompressionCodec(conf)

  override def compressedOutputStream(out: OutputStream): OutputStream = {
    begun.incrementAndGet()
    new FilterOutputStream(codec.compressedOutputStream(out)) {
      private val isOpen = new AtomicBoolean(true)

      override def write(bytes: Array[Byte], offset: Int, length: Int): Unit = {
        // The driver's broadcasts are written through the codec, too.
        if (TaskContext.get() != null && written.incrementAndGet() == failing.get)
          throw new IOException("as if the disk were full")
        this.out.write(bytes, offset, length)
      }

      override def close(): Unit = {
        if (isOpen.getAndSet(false)) ended.incrementAndGet()
        super.close()
      }
    }
  }

  override def compressedInputStream(in: InputStream): InputStream = {
    begun.incrementAndGet()
    new FilterInputStream(codec.compressedInputStream(in)) {
      private val isOpen = new AtomicBoolean(true)

      override def close(): Unit = {
        if (isOpen.getAndSet(false)) ended.incrementAndGet()
        super.close()
      }
    }
  }
}

object CountingCodec {
  private val begun, ended, written, failing = new AtomicInteger

  /** Streams that were begun and not closed. */
  def open: Int = begun.get - ended.get

  /** Streams that were begun. */
  def all: Int = begun.get

  /** Tasks' writes to them all. */
  def writes: Int = written.get

  /** Has the so-manieth write of a task from now on fail. */
  def failAt(write: Int): Unit = failing.set(written.get + write)
}
