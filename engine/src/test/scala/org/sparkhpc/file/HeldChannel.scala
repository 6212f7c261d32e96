package org.sparkhpc.file

import java.nio.ByteBuffer
import java.nio.channels.{ClosedChannelException, FileChannel}
import java.util.concurrent.{Semaphore, TimeUnit}

/** Reads of a file that wait until they are let go; an interrupt closes it as it does the JDK's own. */
final class HeldChannel(file: FileChannel) extends RefusingChannel {
  private val arrivals, permits = new Semaphore(0)

  /** Returns when so many reads wait. */
  def awaitReads(count: Int): Unit =
    require(arrivals.tryAcquire(count, 60, TimeUnit.SECONDS), s"fewer than $count reads came")

  def letGo(): Unit = permits.release(1000)

  override def read(to: ByteBuffer, at: Long): Int = {
    if (!isOpen) throw new ClosedChannelException
    var count = -1
    try {
      begin()
      arrivals.release()
      try permits.acquire()
      catch { case _: InterruptedException => Thread.currentThread.interrupt() }
      if (isOpen) count = file.read(to, at)
    } finally end(count >= 0)
    count
  }

  override protected def implCloseChannel(): Unit = {
    letGo()
    file.close()
  }
}
