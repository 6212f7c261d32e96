package org.apache.spark.shuffle.hpc

import java.nio.channels.FileChannel
import java.util.concurrent.{CountDownLatch, ThreadLocalRandom, TimeUnit}

import org.scalatest.concurrent.Eventually._
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._

/** Files and owners that answer after their deadline, or just at it. */
class LateAnswersSuite extends AnyFunSuite with RoutesFixture {
  import RoutesFixture._

  private val maps = Seq(1L, 2L, 3L, 4L)

  // More requests than there are threads that read.
  private val requests = (1L to 24L).grouped(4).toSeq

  private def fromFiles(maps: Seq[Long]) = maps.map(m => m -> Right(m.toByte)).toMap

  /** Files that can't be opened until it is released. */
  private class Stall extends (String => FileChannel) {
    private val gate = new CountDownLatch(1)
    @volatile var isAsked = false

    def release(): Unit = gate.countDown()

    override def apply(path: String): FileChannel = {
      isAsked = true
      assert(gate.await(60, TimeUnit.SECONDS))
      opened(path)
    }
  }

  test("while the file system stands still owners are asked; afterwards files are read again") {
    write(requests.flatten: _*)
    val stall = new Stall
    val reducer = new Reducer("direct", "9", "1h", directDeadline = "100ms", stall)(answering(77))
    try {
      requests.foreach(reducer.ask)
      assert(reducer.hear(24).values.forall(_ == Right(77)))
      assert(reducer.network.asked.size == 6 && reducer.counts.fallbacks.getCount == 6)
      stall.release()
      eventually(timeout(60.seconds)) {
        reducer.ask(maps)
        assert(reducer.hear(maps.size) == fromFiles(maps))
      }
    } finally reducer.close()
    reducer.assertNoMore()
  }

  for (route <- Seq("direct", "network"))
    test(s"$route: who can ask nobody else waits for a file system that stands still") {
      write(requests.flatten: _*)
      val stall = new Stall
      val reducer = new Reducer(route, directDeadline = "1ms", open = stall)(failing)
      try {
        requests.foreach(reducer.ask)
        eventually(timeout(60.seconds))(assert(reducer.network.asked.size == 6))
        reducer.assertNoMore()
        stall.release()
        assert(reducer.hear(24) == fromFiles(requests.flatten))
      } finally reducer.close()
      reducer.assertNoMore()
    }

  test("files that go on as soon as an owner is asked: each block is answered for once") {
    write(maps: _*)
    val races = for (_ <- 1 to 50) yield {
      val stall = new Stall
      val owner: StubTransferService.Fetch = { (ids, listener) =>
        stall.release()
        answering(77)(ids, listener)
      }
      val reducer = new Reducer("direct", "9", "1h", directDeadline = "20ms", stall)(owner)
      try {
        reducer.ask(maps)
        for ((map, answer) <- reducer.hear(maps.size))
          assert(answer == Right(77) || answer == Right(map.toByte))
        // A read that is given up before it begins is never begun.
        eventually(timeout(60.seconds)) {
          assert(reducer.counts.directBlocks.getCount == maps.size || !stall.isAsked)
          assert(reducer.counts.networkBlocks.getCount == maps.size)
        }
      } finally reducer.close()
      reducer.assertNoMore()
      stall.isAsked
    }
    assert(races.contains(true))
  }

  test("an owner that answers about when it is given up is either given up or heard") {
    write(maps: _*)
    val late: StubTransferService.Fetch = (ids, listener) =>
      threads.execute { () =>
        Thread.sleep(
          ThreadLocalRandom.current.nextLong(4),
          ThreadLocalRandom.current.nextInt(999999)
        )
        ids.foreach(listener.onBlockFetchSuccess(_, buffer(77)))
      }
    var rounds, heard, givenUp = 0
    while (rounds < 200 || rounds < 5000 && (heard == 0 || givenUp == 0)) {
      rounds += 1
      val reducer = new Reducer("network", deadline = "2ms")(late)
      try {
        reducer.ask(maps)
        reducer.hear(maps.size)
        reducer.ask(maps)
        reducer.hear(maps.size)
        // An owner that was never given up was asked again.
        if (reducer.counts.fallbacks.getCount == 0) {
          assert(reducer.network.asked.size == 2)
          heard += 1
        } else {
          givenUp += 1
        }
      } finally reducer.close()
      reducer.assertNoMore()
    }
    assert(heard > 0 && givenUp > 0)
  }
}
