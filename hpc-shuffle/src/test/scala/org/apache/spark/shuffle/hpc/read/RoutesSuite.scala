package org.apache.spark.shuffle.hpc.read

import java.io.IOException
import java.util.concurrent.{CountDownLatch, TimeUnit}

import scala.concurrent.{Await, Promise}
import scala.concurrent.duration.Duration
import scala.util.Try

import org.apache.spark.SparkConf
import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.shuffle.BlockFetchingListener
import org.apache.spark.shuffle.hpc.{RoutesFixture, StubTransferService}
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.scalatest.concurrent.Eventually._
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._

class RoutesSuite extends AnyFunSuite with RoutesFixture {
  import RoutesFixture._

  /** What was answered for these map outputs, once all were; and then nothing more comes. */
  private def fetch(
      route: String,
      mapIds: Seq[Long],
      own: String = "9",
      awaitMore: () => Unit = () => ()
  )(owner: StubTransferService.Fetch): Map[Long, Either[Throwable, Byte]] = {
    val reducer = new Reducer(route, own)(owner)
    val answers =
      try {
        reducer.ask(mapIds)
        val answers = reducer.hear(mapIds.size)
        awaitMore()
        answers
      } finally reducer.close()
    reducer.assertNoMore()
    assert(reducer.network.asked.forall(_ == (("node-17", 7077, Owner))))
    answers
  }

  private val throwing: StubTransferService.Fetch =
    (_, _) => throw new IllegalStateException("not connected")

  private val silent: StubTransferService.Fetch = (_, _) => ()

  /** Says everything, and says it again, and then something else. */
  private val babbling: StubTransferService.Fetch = { (ids, listener) =>
    threads.execute { () =>
      for (_ <- 1 to 2; id <- ids) listener.onBlockFetchSuccess(id, buffer(77))
      ids.foreach(listener.onBlockFetchFailure(_, new IOException("after all")))
    }
  }

  private val maps = Seq(1L, 2L, 3L, 4L)

  test("direct: what a file system shows late, a hole or no record, comes from the owner") {
    write(1L, 2L)
    hide(2L)
    val answers = fetch("direct", Seq(1L, 2L, 3L))(answering(77))
    assert(answers == Map(1L -> Right(1), 2L -> Right(77), 3L -> Right(77)))
  }

  for (route <- Seq("direct", "network")) {
    test(s"$route: what is there is read, whatever the owner does") {
      write(maps: _*)
      for (owner <- Seq(failing, throwing, silent))
        assert(fetch(route, maps)(owner) == maps.map(m => m -> Right(m.toByte)).toMap)
    }

    test(s"$route: what is missing comes from the owner") {
      write(1L, 3L)
      val answers = fetch(route, maps)(answering(77))
      val direct = if (route == "direct") Set(1L, 3L) else Set.empty[Long]
      assert(answers == maps.map(m => m -> Right(if (direct(m)) m.toByte else 77.toByte)).toMap)
    }

    test(s"$route: an owner that answers more than once is heard once") {
      write(1L)
      val answers = fetch(route, maps)(babbling)
      assert(answers.values.forall(_.isRight))
    }

    for ((what, owner) <- Seq("fails" -> failing, "throws" -> throwing, "is silent" -> silent))
      test(s"$route: what is nowhere fails, if the owner $what; the rest is there") {
        write(1L, 3L)
        val answers = fetch(route, maps)(owner)
        assert(answers.collect { case (m, Right(_)) => m }.toSet == Set(1L, 3L))
        assert(answers.collect { case (m, Left(_)) => m }.toSet == Set(2L, 4L))
      }

    test(s"$route: nobody asks himself over the network") {
      write(1L)
      val answers = fetch(route, maps, own = Owner)((_, _) => fail("it asked itself"))
      assert(answers.collect { case (m, Right(_)) => m }.toSet == Set(1L))
    }

    test(s"$route: an owner that answers after it was given up is too late") {
      write(1L, 2L)
      val given, done = new CountDownLatch(1)
      val late: StubTransferService.Fetch = { (ids, listener) =>
        threads.execute { () =>
          given.await()
          ids.foreach(listener.onBlockFetchSuccess(_, buffer(77)))
          done.countDown()
        }
      }
      def nowItAnswers(): Unit = {
        given.countDown()
        assert(done.await(60, TimeUnit.SECONDS))
      }
      val answers = fetch(route, maps, awaitMore = () => nowItAnswers())(late)
      assert(answers.collect { case (m, Right(_)) => m }.toSet == Set(1L, 2L))
      assert(answers.collect { case (m, Left(_)) => m }.toSet == Set(3L, 4L))
    }
  }

  test("an owner that said nothing isn't asked again at once") {
    write(maps: _*)
    val reducer = new Reducer("network")(silent)
    try
      for (_ <- 1 to 3) {
        reducer.ask(maps)
        assert(reducer.hear(maps.size).values.forall(_.isRight))
      }
    finally reducer.close()
    assert(reducer.network.asked.size == 1)
    assert(reducer.counts.fallbacks.getCount == 3)
    assert(reducer.counts.directBlocks.getCount == 3 * maps.size)
  }

  for (route <- Seq("direct", "network"))
    test(s"$route: who waits for an owner is answered when the executor stops") {
      val isAsked = new CountDownLatch(1)
      val reducer = new Reducer(route, deadline = "1h")((_, _) => isAsked.countDown())
      try {
        reducer.ask(maps)
        assert(isAsked.await(60, TimeUnit.SECONDS))
      } finally reducer.close()
      assert(reducer.hear(maps.size).values.forall(_.isLeft))
      reducer.ask(maps)
      assert(reducer.hear(maps.size).values.forall(_.isLeft))
    }

  test("what came by which route is counted") {
    write(1L, 3L)
    val reducer = new Reducer("direct")(answering(77))
    try {
      reducer.ask(maps)
      reducer.hear(maps.size)
    } finally reducer.close()
    import reducer.counts._
    val all = Seq(directBlocks, directBytes, directReads, networkBlocks, networkBytes, fallbacks)
    assert(all.map(_.getCount) == Seq(2, 2, 1, 2, 2, 1))
    assert(directRequests.getCount == 1)
    // It ends when its answers have been heard.
    eventually(timeout(30.seconds))(assert(networkRequests.getCount == 1))
  }

  private def using(reducer: Reducer)(test: Reducer => Unit): Unit =
    try test(reducer)
    finally reducer.close()

  test(
    "auto: small blocks are asked of their owner, large ones and those of a lost owner are read"
  ) {
    write(1, 2)
    for ((size, isRead) <- Seq(10L -> false, (64L << 20) -> true))
      using(new Reducer("auto", size = size)(answering(77))) { reducer =>
        reducer.ask(Seq(1, 2))
        val found = reducer.hear(2).mapValues(_.right.get).toMap
        assert(found == (if (isRead) Map(1L -> 1, 2L -> 2) else Map(1L -> 77, 2L -> 77)))
        assert(reducer.counts.fallbacks.getCount == 0)
      }
    using(new Reducer("auto", deadline = "100ms")((_, _) => ())) { reducer =>
      for (_ <- 1 to 2) {
        reducer.ask(Seq(1, 2))
        assert(reducer.hear(2).mapValues(_.right.get) == Map(1L -> 1, 2L -> 2))
      }
      // It isn't even tried again.
      assert(reducer.counts.fallbacks.getCount == 1)
    }
  }

  /** Asks executors on a node for blocks that aren't in places of ours, one after the other. */
  private def askOthers(owner: StubTransferService.Fetch, deadline: String = "1h")(
      questions: (String, String)*
  ): (Seq[Try[Unit]], StubTransferService) = {
    val network = new StubTransferService(owner)
    val counts = new RouteCounts
    val conf = new SparkConf(false).set("spark.hpc.shuffle.network.timeout", deadline)
    val noSizes = new OutputSizes(_ => None)
    val routes = new Routes(
      conf,
      network,
      directory,
      containers(counts),
      noSizes,
      "9",
      counts,
      new HeldBytes(1 << 20)
    )
    val service = new RoutingTransferService(network, routes)
    def ask(executor: String, block: String): Try[Unit] = {
      val answer = Promise[Unit]
      val listener = new BlockFetchingListener {
        override def onBlockFetchSuccess(blockId: String, data: ManagedBuffer): Unit =
          answer.success(())
        override def onBlockFetchFailure(blockId: String, failure: Throwable): Unit =
          answer.failure(failure)
      }
      service.fetchBlocks("node-3", 7078, executor, Array(block), listener, null)
      Try(Await.result(answer.future, Duration(60, TimeUnit.SECONDS)))
    }
    val answers =
      try questions.map((ask _).tupled)
      finally service.close()
    (answers, network)
  }

  test("what isn't one of our places goes to Spark's service as it is") {
    val questions = Seq("4" -> name(1), "4" -> "rdd_1_2", "driver" -> "broadcast_1_piece0")
    val (answers, network) = askOthers(answering(77))(questions: _*)
    assert(answers.forall(_.isSuccess))
    assert(network.asked == questions.map { case (executor, _) => ("node-3", 7078, executor) })
  }

  test("an executor that says nothing is given up for broadcasts, which others have") {
    val questions = (1 to 3).map(n => "4" -> s"broadcast_${n}_piece0")
    val (answers, network) = askOthers(silent, "100ms")(questions: _*)
    val said = answers.map(_.failed.get.getMessage)
    assert(said.head.contains("nothing came from executor 4 on node-3 for 100 ms"))
    assert(said.tail.forall(_.contains("isn't asked again yet")))
    assert(network.asked.size == 1)
  }

  test("a broadcast that an executor has comes from it") {
    val (answers, network) = askOthers(answering(77))("4" -> "broadcast_1")
    assert(answers.forall(_.isSuccess) && network.asked.size == 1)
  }

  test("as many direct reads at once as the executor has tasks, and at least four") {
    def threads(cores: Int): Int =
      DirectRoute.readsAtOnce(new SparkConf(false).set("spark.executor.cores", cores.toString))
    assert(Seq(1, 4, 48).map(threads) == Seq(4, 4, 48))
  }
}
