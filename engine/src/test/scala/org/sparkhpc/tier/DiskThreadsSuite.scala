package org.sparkhpc.tier

import java.io.IOException
import java.util.concurrent.{Callable, Executors, Future, TimeUnit}
import java.util.concurrent.atomic.AtomicInteger

import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}

class DiskThreadsSuite extends AnyFunSuite with Eventually {

  implicit override val patienceConfig: PatienceConfig = PatienceConfig(Span(60, Seconds))

  private def withDisk(most: Int = 4)(test: HangingDisk => Unit): Unit = {
    val disk = new HangingDisk(most)
    try test(disk)
    finally {
      disk.answer()
      disk.threads.stop()
    }
  }

  private val others = Executors.newCachedThreadPool { (work: Runnable) =>
    val thread = new Thread(work)
    thread.setDaemon(true)
    thread
  }

  private def elsewhere[A](act: => A): Future[A] = others.submit((() => act): Callable[A])

  private def result[A](future: Future[A]): A = future.get(60, TimeUnit.SECONDS)

  test("what a request answers, or throws, comes back; it is made by another thread") {
    withDisk() { disk =>
      assert(disk.threads.ask(Thread.currentThread).exists(_ ne Thread.currentThread))
      assert(disk.threads.later(7).contains(7))
      val refusal = new IOException("no")
      for (ask <- Seq[(=> Unit) => Any](disk.threads.ask(_), disk.threads.later(_)))
        assert(intercept[IOException](ask(throw refusal)) eq refusal)
    }
  }

  test("who asks a disk that hangs goes on, and nothing else is asked but what must be, later") {
    withDisk() { disk =>
      val made = new AtomicInteger
      val hanging = Seq(
        elsewhere(disk.threads.ask(disk.hang())),
        elsewhere(disk.threads.later(disk.hang()))
      )
      eventually(assert(disk.requests.underWay == 2))
      assert(hanging.forall(!_.isDone))
      disk.pass()
      for (one <- hanging) assert(result(one).isEmpty)
      assert(disk.threads.ask(made.addAndGet(1)).isEmpty)
      assert(disk.threads.later { disk.hang(); made.addAndGet(10) }.isEmpty)
      assert(disk.stalls.get == 1)
      val awaiting = elsewhere(disk.threads.awaitAnswer())
      disk.answer()
      assert(result(awaiting))
      eventually(assert(made.get == 10))
      eventually(assert(disk.threads.ask(made.get).contains(10)))
      eventually(assert(disk.ends.get == 1))
    }
  }

  test("a bounded number of threads hangs, and what they kept from being asked never is") {
    withDisk(most = 2) { disk =>
      val begun, asked = new AtomicInteger
      val deletions = for (_ <- 1 to 3)
        yield elsewhere(disk.threads.later { begun.incrementAndGet(); disk.hang() })
      eventually(assert(begun.get == 2))
      val question = elsewhere(disk.threads.ask(asked.incrementAndGet()))
      disk.pass()
      assert((deletions :+ question).map(result(_)).forall(_.isEmpty))
      assert(begun.get == 2)
      disk.answer()
      eventually(assert(begun.get == 3))
      eventually(assert(disk.threads.ask(()).nonEmpty))
      assert(asked.get == 0)
    }
  }

  test("an interrupt ends the wait, and stays") {
    withDisk() { disk =>
      for (ask <- Seq[(=> Unit) => Option[Any]](disk.threads.ask(_), disk.threads.later(_))) {
        @volatile var thread: Thread = null
        val before = disk.requests.underWay
        val asking = elsewhere {
          thread = Thread.currentThread
          (ask(disk.hang()), Thread.interrupted())
        }
        eventually(assert(disk.requests.underWay > before))
        thread.interrupt()
        assert(result(asking) == ((None, true)))
      }
      Thread.currentThread.interrupt()
      try assert(disk.threads.ask(fail("it was interrupted before")).isEmpty)
      finally assert(Thread.interrupted())
    }
  }

  test("nobody waits for a disk that isn't used any more") {
    withDisk() { disk =>
      val asking = elsewhere(disk.threads.ask(disk.hang()))
      eventually(assert(disk.requests.underWay == 1))
      disk.threads.stop()
      assert(result(asking).isEmpty)
      assert(disk.threads.ask(1).isEmpty && disk.threads.later(1).isEmpty)
    }
  }
}
