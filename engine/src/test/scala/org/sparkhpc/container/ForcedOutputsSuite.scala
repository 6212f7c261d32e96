package org.sparkhpc.container

import java.io.IOException
import java.nio.channels.FileChannel
import java.util.concurrent.{Callable, Executors, Future, Semaphore, TimeUnit}
import java.util.concurrent.atomic.AtomicInteger

import org.scalatest.concurrent.Eventually._
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._

/** Outputs that have to be on the device, which takes its time or refuses them. */
class ForcedOutputsSuite extends AnyFunSuite with ContainerFixture {
  import ContainerFixture._

  private val hello: Parts = Seq("hello".getBytes)

  private def container(
      sync: () => Unit,
      visibility: Visibility = Visibility.Forced
  ): ContainerWriter =
    ContainerWriter.create(
      directory.resolve("one"),
      Shuffle,
      1,
      visibility,
      open = (path, options) => new SyncChannel(FileChannel.open(path, options: _*), sync)
    )

  private def beside[A](threads: Int)(use: ((() => Unit) => Future[Unit]) => A): A = {
    val pool = Executors.newFixedThreadPool(threads)
    try use(body => pool.submit((() => body()): Callable[Unit]))
    finally pool.shutdownNow(): Unit
  }

  private def published: Seq[Long] =
    ContainerIndex.read(bytes(directory.resolve("one"))).all.map(_.mapTaskId)

  test("while the device is waited for, others begin and write outputs; one sync serves many") {
    val syncs = new AtomicInteger
    val permits = new Semaphore(0)
    val writer = container { () =>
      syncs.incrementAndGet()
      permits.acquire()
    }
    try beside(9) { start =>
        val first = start(() => write(writer, 0, hello))
        eventually(timeout(60.seconds))(assert(syncs.get == 1))
        val others = (1 to 8).map(task => start(() => write(writer, task.toLong, hello)))
        // Their records are written, though the first one's sync isn't over.
        eventually(timeout(60.seconds))(assert(published == (0 to 8)))
        val another = begin(writer, 1).get
        another.write(new Array[Byte](3 << 20))
        another.abandon()
        assert(!(first +: others).exists(_.isDone) && syncs.get == 1)
        permits.release(9)
        (first +: others).foreach(_.get(60, TimeUnit.SECONDS))
        assert(syncs.get == 2)
      }
    finally writer.close()
  }

  test("where others were seen to see a write at once nobody waits for the device") {
    val writer = container(() => fail("synchronized"), Visibility.Observed)
    try write(writer, 0, hello)
    finally writer.close()
    assert(published == Seq(0))
  }

  test("after a sync that failed nothing is taken for kept, and the container is full") {
    val refusals = new AtomicInteger(1)
    val writer = container { () =>
      if (refusals.getAndDecrement() > 0) throw new IOException("Input/output error")
    }
    try {
      val begun = begin(writer, 1).get
      val failed = intercept[ContainerWriter.Refusal](write(writer, 0, hello))
      val one = directory.resolve("one")
      assert(failed.getMessage == s"$one can't be read or written: Input/output error")
      // Its bytes may be what was lost.
      val refused = intercept[ContainerWriter.Refusal](write(begun, 1, hello))
      assert(refused.getMessage.startsWith(
        s"$one takes no more map outputs, since a write failed: "
      ))
      assert(refused.getMessage.endsWith(failed.getMessage))
      assert(begin(writer, 1).isEmpty)
    } finally writer.close()
  }

  test("who waited beside a sync that failed hears of it, too") {
    val entered = new AtomicInteger
    val permits = new Semaphore(0)
    val writer = container { () =>
      permits.acquire()
      if (entered.incrementAndGet() == 1) throw new IOException("Input/output error")
    }
    try beside(2) { start =>
        val both = (0 to 1).map(task => start(() => write(writer, task.toLong, hello)))
        eventually(timeout(60.seconds))(assert(published == Seq(0, 1)))
        permits.release(2)
        for (one <- both) {
          val failure = intercept[Exception](one.get(60, TimeUnit.SECONDS))
          assert(failure.getCause.isInstanceOf[ContainerWriter.Refusal])
        }
        assert(entered.get == 1)
      }
    finally writer.close()
  }

  test("who is killed while it waits for the device takes nothing from others") {
    val permits = new Semaphore(0)
    val waiting = new AtomicInteger
    val writer = container { () =>
      waiting.incrementAndGet()
      // As the JDK's channel does it.
      try permits.acquire()
      catch {
        case _: InterruptedException =>
          Thread.currentThread.interrupt()
          throw new java.nio.channels.ClosedByInterruptException
      }
    }
    val killed = new Thread(() =>
      try write(writer, 0, hello)
      catch { case _: IOException => }
    )
    try {
      killed.start()
      eventually(timeout(60.seconds))(assert(waiting.get == 1))
      killed.interrupt()
      killed.join(60000)
      permits.release(1)
      write(writer, 1, hello)
      assert(published == Seq(0, 1))
      assert(begin(writer, 1).nonEmpty)
    } finally writer.close()
  }
}
