package org.apache.spark.shuffle.hpc

import java.io.{File, IOException}
import java.nio.ByteBuffer
import java.nio.file.{Files, Path}
import java.util.concurrent.{CountDownLatch, Executors, LinkedBlockingQueue, TimeUnit}

import org.apache.commons.io.FileUtils
import org.apache.spark.SparkConf
import org.apache.spark.hpc.container.{ContainerFixture, ContainerWriter}
import org.apache.spark.hpc.file.{FilePool, IdleOrder}
import org.apache.spark.network.buffer.{ManagedBuffer, NioManagedBuffer}
import org.apache.spark.network.shuffle.BlockFetchingListener
import org.scalatest.{BeforeAndAfterAll, BeforeAndAfterEach}
import org.scalatest.funsuite.AnyFunSuite

/** With an owner on the network that does what a test says, and files that are there or not. */
class RoutesSuite extends AnyFunSuite with BeforeAndAfterEach with BeforeAndAfterAll {
  import RoutesSuite._

  private var path: Path = _
  private val threads = Executors.newCachedThreadPool()

  override def beforeEach(): Unit = {
    Files.createDirectories(new File(System.getProperty("java.io.tmpdir")).toPath)
    path = Files.createTempDirectory("routes")
  }

  override def afterAll(): Unit = threads.shutdownNow(): Unit

  override def afterEach(): Unit = FileUtils.deleteDirectory(path.toFile)

  /** A container with map outputs of one partition, whose only byte is their map task's id. */
  private def write(mapTaskIds: Long*): Unit = {
    val file = new OutputDirectory(path).container(Shuffle, Owner, "0")
    Files.createDirectories(file.getParent)
    val writer = ContainerWriter.create(file, Shuffle, 1, isForced = false)
    try mapTaskIds.foreach(task => ContainerFixture.write(writer, task, Seq(Array(task.toByte))))
    finally writer.close()
  }

  private def containers(counts: RouteCounts): ContainerFiles = new ContainerFiles(
    new OutputDirectory(path),
    new FilePool(10, IdleOrder.Lru, TimeUnit.SECONDS.toNanos(60)),
    counts
  )

  /** A reducer that asks for map outputs, and hears the answers. */
  private class Reducer(route: String, own: String = "9", deadline: String = "1s")(
      owner: StubTransferService.Fetch
  ) extends AutoCloseable {
    val network = new StubTransferService(owner)
    val counts = new RouteCounts
    private val files = containers(counts)
    private val service = {
      val conf = new SparkConf(false)
        .set("spark.hpc.shuffle.route", route)
        .set("spark.hpc.shuffle.ownerDeadline", deadline)
      new RoutingTransferService(network, new Routes(conf, network, files, own, counts))
    }
    private val answers = new LinkedBlockingQueue[(Long, Either[Throwable, Byte])]

    def ask(mapIds: Seq[Long]): Unit = {
      val listener = new BlockFetchingListener {
        override def onBlockFetchSuccess(blockId: String, data: ManagedBuffer): Unit =
          answers.add((mapId(blockId), Right(data.nioByteBuffer().get(0)))): Unit
        override def onBlockFetchFailure(blockId: String, failure: Throwable): Unit =
          answers.add((mapId(blockId), Left(failure))): Unit
      }
      val marker = OutputPlace(Owner, Shuffle, "0", "node-17", 7077).marker
      val ids = mapIds.map(name).toArray
      service.fetchBlocks(marker.host, marker.port, marker.executorId, ids, listener, null)
    }

    /** The answers to as many questions, one for each. */
    def hear(count: Int): Map[Long, Either[Throwable, Byte]] = {
      val heard = Seq.fill(count)(answers.poll(60, TimeUnit.SECONDS))
      assert(!heard.contains(null), heard)
      val byMap = heard.toMap
      assert(byMap.size == count, heard)
      byMap
    }

    override def close(): Unit = {
      service.close()
      files.close()
    }

    def assertNoMore(): Unit = assert(answers.isEmpty, answers)
  }

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

  private def answering(value: Byte): StubTransferService.Fetch = { (ids, listener) =>
    threads.execute { () =>
      ids.foreach(listener.onBlockFetchSuccess(_, buffer(value)))
    }
  }

  private val failing: StubTransferService.Fetch =
    (ids, listener) =>
      ids.foreach(listener.onBlockFetchFailure(_, new IOException("no such block")))

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
  }

  test("what isn't one of our places goes to Spark's service as it is") {
    val network = new StubTransferService(answering(77))
    val counts = new RouteCounts
    val routes = new Routes(new SparkConf(false), network, containers(counts), "9", counts)
    val service = new RoutingTransferService(network, routes)
    val answered = new CountDownLatch(1)
    val listener = new BlockFetchingListener {
      override def onBlockFetchSuccess(blockId: String, data: ManagedBuffer): Unit =
        answered.countDown()
      override def onBlockFetchFailure(blockId: String, failure: Throwable): Unit = ()
    }
    try {
      service.fetchBlocks("node-3", 7078, "4", Array(name(1)), listener, null)
      assert(answered.await(60, TimeUnit.SECONDS))
      assert(network.asked == Seq(("node-3", 7078, "4")))
    } finally service.close()
  }
}

private object RoutesSuite {
  private val Shuffle = 3
  private val Owner = "7"

  private def name(mapId: Long): String = s"shuffle_${Shuffle}_${mapId}_0"

  private def mapId(name: String): Long = name.split('_')(2).toLong

  private def buffer(value: Byte): ManagedBuffer =
    new NioManagedBuffer(ByteBuffer.wrap(Array(value)))
}
