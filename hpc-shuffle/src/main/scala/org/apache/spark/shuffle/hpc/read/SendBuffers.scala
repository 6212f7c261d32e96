package org.apache.spark.shuffle.hpc.read

import java.nio.ByteBuffer
import java.util.concurrent.atomic.AtomicLong

import org.apache.spark.shuffle.hpc.read.SendBuffers._

/** The buffers of blocks that are being sent. The more memory they hold together, the smaller is the next one. So
  * thousands of slow readers take about `bound` bytes, and [[SendBuffers.Least]] for each of them. Threads that take
  * one at the same time may exceed the bound by what each of them takes.
  */
private[hpc] final class SendBuffers(bound: Long) {
  private val held = new AtomicLong

  /** The bytes of all buffers that weren't given back. */
  def size: Long = held.get

  /** A buffer for a block with this many bytes left to send. */
  def take(left: Long): ByteBuffer = {
    val share = (bound - held.get) / PartOfRest
    val bytes = math.min(left, math.max(Least, math.min(share, Most)))
    held.addAndGet(bytes)
    ByteBuffer.allocate(bytes.toInt)
  }

  /** Nobody uses the buffer any more. */
  def give(buffer: ByteBuffer): Unit = held.addAndGet(-buffer.capacity.toLong): Unit
}

private[hpc] object SendBuffers {
  val Least: Long = 16 << 10
  val Most: Long = 256 << 10

  // Buffers shrink before there is no memory left for them.
  private val PartOfRest = 4
  private val PartOfHeap = 64

  /** Those of this process. */
  lazy val ofProcess: SendBuffers = new SendBuffers(Runtime.getRuntime.maxMemory / PartOfHeap)
}
