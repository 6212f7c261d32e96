package org.sparkhpc.request

import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Files
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger

import scala.collection.JavaConverters._

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import org.sparkhpc.file.{FileFacts, FilePool, IdleOrder, SharedFiles}
import org.sparkhpc.tier.{DiskRequests, DiskThreads}

class RequestsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private final class Seen extends Requests.Watcher {
    private val all = new ConcurrentLinkedQueue[RequestKind]
    override def made(kind: RequestKind, nanos: Long): Unit = all.add(kind): Unit
    override def began(kind: RequestKind): Unit = ()
    def kinds: Seq[RequestKind] = all.asScala.toSeq
  }

  private def seen(work: => Unit): Seq[RequestKind] = {
    val watcher = new Seen
    Requests.on(watcher)(work)
    watcher.kinds
  }

  test("a watcher gets its thread's requests, also those that fail, and no others") {
    val watcher = new Seen
    assert(Requests.make(RequestKind.Open)(1) == 1)
    Requests.watch(watcher)
    assert(Requests.make(RequestKind.Open)(2) == 2)
    intercept[IOException](Requests.make(RequestKind.Read)(throw new IOException("as it should")))
    val other = new Thread(() => Requests.make(RequestKind.Write)(()))
    other.start()
    other.join()
    Requests.unwatch()
    Requests.made(RequestKind.Metadata, 1)
    assert(watcher.kinds == Seq(RequestKind.Open, RequestKind.Read))
  }

  test("a request that another thread ends is known from its begin on") {
    val (kinds, waits) = (new ConcurrentLinkedQueue[RequestKind], new AtomicInteger)
    val watcher = new Requests.Watcher {
      override def made(kind: RequestKind, nanos: Long): Unit = kinds.add(kind): Unit
      override def began(kind: RequestKind): Unit = waits.incrementAndGet(): Unit
      override def ended(kind: RequestKind, nanos: Long): Unit = {
        waits.decrementAndGet()
        made(kind, nanos)
      }
    }
    val begun = Requests.on(watcher)(Requests.begin(RequestKind.Direct))
    assert(waits.get == 1 && kinds.isEmpty)
    val other = new Thread(() => begun.end(): Unit)
    other.start()
    other.join()
    assert(waits.get == 0 && kinds.asScala.toSeq == Seq(RequestKind.Direct))
    assert(Requests.begin(RequestKind.Direct).end() >= 0)
  }

  test("threads without a watcher have the one of all others") {
    val (others, own) = (new Seen, new Seen)
    Requests.watchOthers(others)
    try {
      Requests.make(RequestKind.Open)(())
      Requests.on(own)(Requests.make(RequestKind.Read)(()))
    } finally Requests.watchOthers(null)
    Requests.make(RequestKind.Write)(())
    assert(others.kinds == Seq(RequestKind.Open) && own.kinds == Seq(RequestKind.Read))
  }

  test("a disk's threads make requests for the thread that asked") {
    val threads = new DiskThreads(new DiskRequests, 1)
    try {
      val kinds = seen(threads.ask(Requests.make(RequestKind.Write)(())): Unit)
      assert(kinds == Seq(RequestKind.Write))
      threads.ask(Requests.make(RequestKind.Write)(()))
      assert(kinds.size == 1)
    } finally threads.stop()
  }

  test("the pools of files tell of opens and reads, and a status of itself") {
    val file = Files.write(Files.createTempFile("requests", ""), Array[Byte](1, 2, 3))
    val pool = new FilePool(1, IdleOrder.all.head, 0)
    def read(): Unit = pool.read(file.toString, ByteBuffer.allocate(2), 0): Unit
    try {
      assert(seen(read()) == Seq(RequestKind.Open, RequestKind.Read))
      assert(seen(read()) == Seq(RequestKind.Read))
      assert(seen(FileFacts.of(file): Unit) == Seq(RequestKind.Metadata))
      val shared = new SharedFiles(1)
      val found = FileFacts.of(file).identity
      val kinds = seen {
        val its = shared.open(file, found, null)
        its.read(ByteBuffer.allocate(2), 0)
        shared.release(its)
      }
      assert(kinds == Seq(RequestKind.Open, RequestKind.Read))
    } finally {
      pool.close()
      Files.delete(file)
    }
  }

  test("a latency is within 20% of the middle of its bucket, from 1 us to 2 minutes") {
    forAll(Gen.chooseNum(3.0, 11.0).map(math.pow(10, _).toLong)) { nanos =>
      val middle = LatencyBucket.middleMillis(LatencyBucket.of(nanos)) * 1e6
      assert(math.abs(middle / nanos - 1) < 0.2)
    }
    assert(LatencyBucket.of(0) == 0 && LatencyBucket.of(-1) == 0)
    assert(LatencyBucket.of(Long.MaxValue) == LatencyBucket.Number - 1)
  }
}
