package org.apache.spark.shuffle.hpc.read

import java.io.Closeable
import java.nio.ByteBuffer
import java.util.concurrent.atomic.{AtomicInteger, AtomicLong}

import org.apache.spark.network.buffer.{ManagedBuffer, NioManagedBuffer}

/** Bounds the bytes of blocks that this process keeps in its heap: blocks that it sends to others, and blocks that its
  * tasks haven't consumed yet. They are never more than `limit`.
  */
private[hpc] final class HeldBytes(limit: Long) {
  import HeldBytes._

  private val held = new AtomicLong

  def now: Long = held.get

  /** Room for a block of `length` bytes. None if there isn't enough. */
  def room(length: Long): Option[Room] =
    if (held.addAndGet(length) <= limit) Some(new Room(held, length))
    else {
      held.addAndGet(-length)
      None
    }
}

private[hpc] object HeldBytes {

  /** The limit of a process is an eighth of its heap. */
  def ofThisProcess: HeldBytes = new HeldBytes(Runtime.getRuntime.maxMemory / 8)

  /** Room for one block. It is given back when the last user of the block releases it, or by [[close]] if there
    * is no block.
    */
  final class Room private[HeldBytes] (held: AtomicLong, length: Long) extends Closeable {
    private val users = new AtomicInteger(1)
    private var isFilled = false

    /** The block with these bytes. It has one user until it is retained. */
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
