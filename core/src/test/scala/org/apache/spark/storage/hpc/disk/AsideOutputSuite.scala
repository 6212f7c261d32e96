package org.apache.spark.storage.hpc.disk

import java.io.{ByteArrayOutputStream, IOException}
import java.nio.ByteBuffer
import java.nio.channels.{Channels, ClosedByInterruptException, WritableByteChannel}
import java.util.concurrent.{Executors, TimeUnit}
import java.util.concurrent.atomic.AtomicInteger

import scala.util.{Random, Try}

import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}
import org.sparkhpc.tier.HangingDisk

class AsideOutputSuite extends AnyFunSuite with Eventually {

  implicit override val patienceConfig: PatienceConfig = PatienceConfig(Span(60, Seconds))

  /** A file that hangs, or fails, in its opening, its writes or its closing. */
  private final class File(disk: HangingDisk, in: String = "", isHanging: Boolean = true)
      extends BlockFile {
    val bytes = new ByteArrayOutputStream
    val opened, writes, closed, discarded, asMade = new AtomicInteger

    private def pass(where: String): Unit =
      if (in == where) if (isHanging) disk.hang() else throw new IOException(where)

    override def open(): WritableByteChannel = {
      pass("open")
      opened.incrementAndGet()
      val channel = Channels.newChannel(bytes)
      new WritableByteChannel {
        override def write(bytes: ByteBuffer): Int = {
          pass("write")
          writes.incrementAndGet()
          channel.write(bytes)
        }
        override def isOpen: Boolean = closed.get == 0
        override def close(): Unit = if (closed.getAndIncrement() == 0) pass("close")
      }
    }

    override def discard(isMade: Boolean): Unit = {
      if (isMade) asMade.incrementAndGet()
      discarded.incrementAndGet(): Unit
    }
  }

  private def withFile(in: String = "", isHanging: Boolean = true)(
      test: (HangingDisk, File, AsideOutput) => Unit
  ): Unit = {
    val disk = new HangingDisk
    val file = new File(disk, in, isHanging)
    try test(disk, file, new AsideOutput(disk.threads, file))
    finally {
      disk.answer()
      disk.threads.stop()
    }
  }

  private def write(out: AsideOutput, bytes: Array[Byte]): Unit =
    try {
      assert(out.write(ByteBuffer.wrap(bytes)) == bytes.length)
      out.close()
      out.finish()
    } finally out.giveUp()

  for (size <- Seq(0, 1, 1 << 14, (1 << 16) + 1, 1 << 20, 3000000))
    test(s"$size bytes are written as they are") {
      withFile() { (_, file, out) =>
        val bytes = new Array[Byte](size)
        new Random(size).nextBytes(bytes)
        for (part <- bytes.grouped(99999)) assert(out.write(ByteBuffer.wrap(part)) == part.length)
        out.close()
        out.finish()
        out.giveUp()
        assert(java.util.Arrays.equals(file.bytes.toByteArray, bytes))
        assert(file.opened.get == 1 && file.closed.get == 1 && file.discarded.get == 0)
      }
    }

  for (where <- Seq("open", "write", "close"))
    test(s"who writes doesn't hang in $where; the file is deleted when the disk answers") {
      withFile(where) { (disk, file, out) =>
        val writing = Executors.newSingleThreadExecutor()
        val outcome = writing.submit(() => Try(write(out, new Array[Byte](1 << 20))))
        eventually(assert(disk.isHanging))
        disk.pass()
        assert(outcome.get(60, TimeUnit.SECONDS).failed.get.isInstanceOf[DiskHangs])
        writing.shutdown()
        assert(file.discarded.get == 0)
        disk.answer()
        eventually(assert(file.discarded.get == 1 && file.asMade.get == 1))
        assert(file.closed.get == 1 || where == "close")
      }
    }

  for (where <- Seq("open", "write", "close"))
    test(s"what fails in $where is thrown, and the file deleted") {
      withFile(where, isHanging = false) { (_, file, out) =>
        val failure = intercept[IOException](write(out, new Array[Byte](1 << 20)))
        assert(failure.getMessage == where)
        assert(file.discarded.get == 1 && file.asMade.get == (if (where == "open") 0 else 1))
      }
    }

  test("an interrupt ends the write as it does Java's own, and the file is deleted") {
    withFile("write") { (disk, file, out) =>
      val outcome = Try {
        val thread = Thread.currentThread
        new Thread(() => {
          eventually(assert(disk.isHanging))
          thread.interrupt()
        }).start()
        write(out, new Array[Byte](1 << 20))
      }
      assert(Thread.interrupted())
      assert(outcome.failed.get.isInstanceOf[ClosedByInterruptException])
      disk.answer()
      eventually(assert(file.discarded.get == 1))
    }
  }

  test("what is given up between two requests is deleted, what was never made isn't asked for") {
    for (size <- Seq(1 << 20, 1)) withFile() { (_, file, out) =>
      out.write(ByteBuffer.allocate(size))
      out.giveUp()
      out.giveUp()
      assert(file.discarded.get == 1 && file.asMade.get == file.opened.get)
      assert(file.opened.get == (if (size == 1) 0 else 1))
    }
  }
}
