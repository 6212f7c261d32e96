package org.apache.spark.storage.hpc.disk

import java.nio.ByteBuffer
import java.nio.channels.{ClosedByInterruptException, WritableByteChannel}

import com.google.common.io.Closeables
import org.sparkhpc.tier.DiskThreads

/** Writes a block's file through [[DiskThreads]], so that the calling thread does not hang with the disk.
  *
  *  1. When the disk hangs, the write fails with a [[DiskHangs]]. When the calling thread is interrupted, the write
  *     fails as Java's own channels do.
  *  1. An abandoned file is deleted. If a disk thread hangs in a request for it, that thread deletes it later.
  *  1. A small block takes one request. Only one thread at a time may write.
  */
private[storage] final class AsideOutput(disk: DiskThreads, file: BlockFile)
    extends WritableByteChannel {
  import AsideOutput._

  private var buffer = ByteBuffer.allocate(FirstBytes)

  // Used only in requests, which run one after the other.
  private var out: Option[WritableByteChannel] = None

  private var isBusy = false
  private var isGivenUp = false
  private var isWhole = false

  override def write(bytes: ByteBuffer): Int = {
    val count = bytes.remaining
    while (bytes.hasRemaining) {
      if (!buffer.hasRemaining) makeRoom()
      val some = math.min(bytes.remaining, buffer.remaining)
      val part = bytes.duplicate()
      part.limit(part.position() + some)
      buffer.put(part)
      bytes.position(bytes.position() + some)
    }
    count
  }

  private def makeRoom(): Unit =
    if (buffer.capacity < MostBytes) {
      val larger = ByteBuffer.allocate(buffer.capacity * 4)
      buffer.flip()
      buffer = larger.put(buffer)
    } else {
      request(writeBuffer())
    }

  /** Called after the last write; returns when the file is complete. */
  def finish(): Unit = {
    request {
      writeBuffer()
      out.foreach(_.close())
    }
    isWhole = true
  }

  /** Abandons the file unless it is complete. */
  def giveUp(): Unit = if (!isWhole) {
    val isOurs = synchronized {
      val isFirst = !isGivenUp
      isGivenUp = true
      isFirst && !isBusy
    }
    if (isOurs) {
      if (out.isEmpty) file.discard(isMade = false) else disk.later(discard()): Unit
    }
  }

  override def isOpen: Boolean = true

  /** Does nothing: serializers close their output, even when they fail. */
  override def close(): Unit = ()

  private def writeBuffer(): Unit = {
    if (out.isEmpty) out = Some(file.open())
    buffer.flip()
    for (channel <- out) while (buffer.hasRemaining) channel.write(buffer)
    buffer.clear(): Unit
  }

  private def request(act: => Unit): Unit =
    if (disk.ask(inRequest(act)).isEmpty)
      throw (if (Thread.currentThread.isInterrupted) new ClosedByInterruptException
             else new DiskHangs)

  private def inRequest(act: => Unit): Unit = {
    val mayAct = synchronized {
      isBusy = !isGivenUp
      isBusy
    }
    if (mayAct) {
      try act
      finally {
        val isUnwanted = synchronized {
          isBusy = false
          isGivenUp
        }
        if (isUnwanted) discard()
      }
    }
  }

  private def discard(): Unit = {
    for (channel <- out) Closeables.close(channel, true)
    file.discard(isMade = out.nonEmpty)
  }
}

private object AsideOutput {
  private val FirstBytes = 1 << 14
  private val MostBytes = 1 << 18
}
