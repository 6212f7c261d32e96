package org.sparkhpc.file

import java.io.IOException
import java.nio.channels.{ClosedByInterruptException, FileChannel}
import java.nio.file.{Files, NoSuchFileException, Path, Paths, StandardOpenOption}
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicBoolean

import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}

class FilePoolSuite extends AnyFunSuite with NumberedFiles with Eventually {
  private val Minute = TimeUnit.MINUTES.toNanos(1)

  private def withPool[A](size: Int, files: Int, order: IdleOrder = IdleOrder.Lifo)(
      test: (FilePool, Path) => A
  ): A = inFolder { folder =>
    (0 until files).foreach(write(folder, _))
    val pool = new FilePool(size, order, Minute)
    try test(pool, folder)
    finally pool.close()
  }

  test("a file is opened once for all its reads and stays open") {
    withPool(size = 2, files = 1) { (pool, folder) =>
      for (at <- Seq(0, 500, 3, 995)) assert(isRight(pool, folder, 0, at))
      assert(pool.counts.opens == 1 && pool.counts.hits == 3)
      assert(openBelow(folder) == Seq("0"))
      val end = java.nio.ByteBuffer.allocate(1)
      assert(pool.read(folder.resolve("0").toString, end, NumberedFiles.Size.toLong) == -1)
    }
  }

  test("no more than its size are open, in any order") {
    for (order <- IdleOrder.all) withPool(size = 3, files = 7, order) { (pool, folder) =>
      for (step <- 0 until 100) {
        assert(isRight(pool, folder, step * step % 7))
        assert(openBelow(folder).size == pool.counts.openNow && pool.counts.openNow <= 3)
      }
      assert(pool.counts.opens == pool.counts.evictions + 3)
    }
  }

  test("each order closes the file that it names") {
    def left(order: IdleOrder, reads: Int*): Seq[String] =
      withPool(size = 2, files = 3, order) { (pool, folder) =>
        for (number <- reads) assert(isRight(pool, folder, number))
        openBelow(folder)
      }
    assert(IdleOrder.all.map(left(_, 0, 1, 2)) == Seq(Seq("0", "2"), Seq("1", "2"), Seq("1", "2")))
    assert(
      IdleOrder.all.map(left(_, 0, 1, 0, 2)) == Seq(Seq("1", "2"), Seq("0", "2"), Seq("1", "2"))
    )
  }

  test("files read in turn, more than there is room for, are opened least often by lifo") {
    val opens = IdleOrder.all.map { order =>
      withPool(size = 4, files = 8, order) { (pool, folder) =>
        for (_ <- 1 to 10; number <- 0 until 8) assert(isRight(pool, folder, number))
        pool.counts.opens
      }
    }
    assert(opens.tail == Seq(80, 80) && opens.head < 60)
  }

  test("a file that was deleted isn't held when it is forgotten") {
    withPool(size = 2, files = 1) { (pool, folder) =>
      assert(isRight(pool, folder, 0))
      Files.delete(folder.resolve("0"))
      assert(openBelow(folder) == Seq("0 (deleted)"))
      pool.forget(folder.resolve("0").toString)
      assert(openBelow(folder).isEmpty && pool.counts.openNow == 0)
      intercept[NoSuchFileException](isRight(pool, folder, 0))
    }
  }

  test("a file that took another's name is read when the name is forgotten") {
    withPool(size = 2, files = 1) { (pool, folder) =>
      assert(isRight(pool, folder, 0))
      replace(folder, 0, by = 5)
      assert(isRight(pool, folder, 0), "a descriptor is of the file, not of its name")
      pool.forget(folder.resolve("0").toString)
      assert(isRight(pool, folder, 0, as = 5))
      assert(openBelow(folder) == Seq("0"))
    }
  }

  test("a missing file is its readers' failure and leaves nothing behind") {
    withPool(size = 1, files = 1) { (pool, folder) =>
      for (_ <- 1 to 3) intercept[NoSuchFileException](isRight(pool, folder, 7))
      assert(pool.counts.openNow == 0)
      write(folder, 7)
      assert(isRight(pool, folder, 7))
    }
  }

  test("nothing stays open when the pool is closed, but late readers still read") {
    withPool(size = 3, files = 3) { (pool, folder) =>
      for (number <- 0 until 3) assert(isRight(pool, folder, number))
      pool.close()
      assert(openBelow(folder).isEmpty)
      assert(isRight(pool, folder, 1))
      assert(openBelow(folder).isEmpty && pool.counts.openNow == 0)
    }
  }

  test("by default it is half of what the process may have open, with an upper bound") {
    assert(FilePool.defaultSize(Some(64)) == 32)
    assert(FilePool.defaultSize(Some(1)) == 1)
    assert(FilePool.defaultSize(Some(1L << 40)) == 16384)
    assert(FilePool.defaultSize(None) == 512)
    assert(DescriptorLimit.ofProcess.exists(_ >= 64))
  }

  /** A pool whose file 0 is read only when the channel lets go. */
  private def withHeld[A](size: Int, timeout: Long = Minute, mayWait: () => Boolean = () => true)(
      test: (FilePool, Path, HeldChannel) => A
  ): A = inFolder { folder =>
    (0 until 3).foreach(write(folder, _))
    def real(path: String) = FileChannel.open(Paths.get(path), StandardOpenOption.READ)
    val held = new HeldChannel(real(folder.resolve("0").toString))
    val first = new AtomicBoolean(true)
    def open(path: String) =
      if (path.endsWith("/0") && first.getAndSet(false)) held else real(path)
    val pool = new FilePool(size, IdleOrder.Lifo, timeout, mayWait, open)
    try test(pool, folder, held)
    finally {
      held.letGo()
      held.close()
      pool.close()
    }
  }

  test("a read for which there is no room waits until another one ends") {
    withHeld(size = 1) { (pool, folder, held) =>
      val first = new InThread("first")(isRight(pool, folder, 0))
      held.awaitReads(1)
      val second = new InThread("second")(isRight(pool, folder, 1))
      eventually(timeout(Span(60, Seconds)))(assert(pool.counts.waits == 1))
      assert(openBelow(folder) == Seq("0"))
      held.letGo()
      assert(first.result() && second.result())
      assert(openBelow(folder) == Seq("1"))
      assert(pool.counts.waits == 1 && pool.counts.longestWaitNanos > 0)
    }
  }

  test("a wait that takes too long is one error that names the setting, the file and its readers") {
    withHeld(size = 1, timeout = 1000000) { (pool, folder, held) =>
      val first = new InThread("task 7")(isRight(pool, folder, 0))
      held.awaitReads(1)
      val message = intercept[IOException](isRight(pool, folder, 1)).getMessage
      assert(message.contains(s"$folder/1 can't be opened: all 1 files of "))
      assert(message.contains("spark.hpc.pool.size") && message.endsWith(s"$folder/0 by task 7"))
      held.letGo()
      assert(first.result() && isRight(pool, folder, 1))
    }
  }

  test("an interrupt ends a wait") {
    withHeld(size = 1) { (pool, folder, held) =>
      val first = new InThread("first")(isRight(pool, folder, 0))
      held.awaitReads(1)
      val second = new InThread("second")(isRight(pool, folder, 1))
      eventually(timeout(Span(60, Seconds)))(assert(pool.counts.waits == 1))
      second.interrupt()
      intercept[ClosedByInterruptException](second.result())
      held.letGo()
      assert(first.result() && isRight(pool, folder, 1))
    }
  }

  test("a thread that mustn't wait goes past the bound, for one read") {
    withHeld(size = 1, mayWait = () => false) { (pool, folder, held) =>
      val first = new InThread("first")(isRight(pool, folder, 0))
      held.awaitReads(1)
      assert(isRight(pool, folder, 1))
      assert(pool.counts.pastBound == 1 && pool.counts.waits == 0)
      assert(openBelow(folder) == Seq("0") && pool.counts.openNow == 1)
      held.letGo()
      assert(first.result())
    }
  }

  test("a file that is forgotten while it is read is closed by its last reader") {
    withHeld(size = 2) { (pool, folder, held) =>
      val readers = Seq("a", "b").map(new InThread(_)(isRight(pool, folder, 0)))
      held.awaitReads(2)
      pool.forget(folder.resolve("0").toString)
      assert(pool.counts.openNow == 1)
      held.letGo()
      assert(readers.forall(_.result()))
      assert(openBelow(folder).isEmpty && pool.counts.openNow == 0)
    }
  }

  test("an interrupt is for its own thread: others read on from the file opened again") {
    withHeld(size = 1) { (pool, folder, held) =>
      val killed = new InThread("killed")({
        intercept[ClosedByInterruptException](isRight(pool, folder, 0))
        Thread.currentThread.isInterrupted
      })
      held.awaitReads(1)
      val others = Seq("a", "b", "c").map(new InThread(_)(isRight(pool, folder, 0, at = 100)))
      held.awaitReads(3)
      killed.interrupt()
      assert(killed.result() && others.forall(_.result()))
      assert(pool.counts.openNow == 1 && openBelow(folder) == Seq("0"))
      assert(pool.counts.opens == 2)
    }
  }

  test("a thread that is interrupted already takes no file from others") {
    withPool(size = 1, files = 1) { (pool, folder) =>
      assert(isRight(pool, folder, 0))
      Thread.currentThread.interrupt()
      try intercept[ClosedByInterruptException](isRight(pool, folder, 0))
      finally assert(Thread.interrupted())
      assert(isRight(pool, folder, 0) && pool.counts.opens == 1)
    }
  }
}
