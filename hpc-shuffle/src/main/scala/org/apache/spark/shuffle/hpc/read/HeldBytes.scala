package org.apache.spark.shuffle.hpc.read

import java.io.Closeable
import java.nio.ByteBuffer
import java.util.concurrent.atomic.{AtomicInteger, AtomicLong}

import org.apache.spark.network.buffer.{ManagedBuffer, NioManagedBuffer}

/** The bytes of blocks that this process keeps in its heap: blocks that it sends to others, and blocks that its
  * tasks haven't come to yet. Never more than `limit`.
  */
private[hpc] final class HeldBytes(limit: Long) {
  import HeldBytes._

  private val held = new AtomicLong

  def now: Long = held.get

  /** Room for a block of so many bytes; None if there isn't as much. */
  def room(length: Long): Option[Room] =
    if (held.addAndGet(length) <= limit) Some(new Room(held, length))
    else {
      held.addAndGet(-length)
      None
    }
}

private[hpc] object HeldBytes {

  /** An eighth of the heap. */
  def ofThisProcess: HeldBytes = new HeldBytes(Runtime.getRuntime.maxMemory / 8)

  /** Room for one block. It is given back when the last user of the block releases it, or by [[close]] if there
    * is no block.
    */
  final class Room private[HeldBytes] (held: AtomicLong, length: Long) extends Closeable {
    private val users = new AtomicInteger(1)
    private var isFilled = false

    /** The block, for one user. */
    def filled(bytes: ByteBuffer): ManagedBuffer = {
      isFilled = true
      new NioManagedBuffer(bytes) {
        override def retain(): ManagedBuffer = {
          users.incrementAndGet()
          this
        }

        override def release(): ManagedBuffer = {
          leave()
          this
        }
      }
    }

    override def close(): Unit = if (!isFilled) leave()

    private def leave(): Unit = if (users.decrementAndGet() == 0) held.addAndGet(-length): Unit
  }
}
