package org.apache.spark.shuffle.hpc.read

import java.io.IOException
import java.util.concurrent.{CountDownLatch, LinkedBlockingQueue, TimeUnit}
import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.SparkConf
import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.shuffle.BlockFetchingListener
import org.apache.spark.scheduler.MapStatus
import org.apache.spark.shuffle.hpc.{RoutesFixture, StubTransferService}
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.OutputPlace
import org.apache.spark.storage.BlockManagerId
import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._

/** A reducer that knows the executor's address only, of outputs that this has moved since. */
class NewPlacesSuite extends AnyFunSuite with RoutesFixture with Eventually {
  import RoutesFixture._

  private val executor = BlockManagerId(Owner, "node-17", 7077)
  private val moved = OutputPlace(Owner, Shuffle, "0", executor.host, executor.port).marker

  /** What it hears of map outputs 1 to 3, and how often the driver was asked. */
  private def heard(
      owner: StubTransferService.Fetch,
      statusesNow: => Seq[MapStatus]
  ): (Map[Long, Either[Throwable, Byte]], Int) = {
    val asked = new AtomicInteger
    val network = new StubTransferService(owner)
    val counts = new RouteCounts
    val files = containers(counts)
    val conf = new SparkConf(false).set("spark.hpc.shuffle.route", "direct")
    val sizes = new OutputSizes(_ => None)
    val routes =
      new Routes(conf, network, directory, files, sizes, "9", counts, new HeldBytes(1 << 20))
    val newPlaces = new NewPlaces(
      routes,
      _ => {
        asked.incrementAndGet()
        statusesNow
      }
    )
    val service = new RoutingTransferService(network, routes, Some(newPlaces))
    val answers = new LinkedBlockingQueue[(Long, Either[Throwable, Byte])]
    val listener = new BlockFetchingListener {
      override def onBlockFetchSuccess(blockId: String, data: ManagedBuffer): Unit =
        answers.add((mapId(blockId), Right(data.nioByteBuffer().get(0)))): Unit
      override def onBlockFetchFailure(blockId: String, failure: Throwable): Unit =
        answers.add((mapId(blockId), Left(failure))): Unit
    }
    try {
      val ids = Array(1L, 2L, 3L).map(name)
      service.fetchBlocks(executor.host, executor.port, Owner, ids, listener, null)
      val all = Seq.fill(ids.length)(answers.poll(60, TimeUnit.SECONDS))
      assert(!all.contains(null) && answers.isEmpty, all)
      (all.toMap, asked.get)
    } finally {
      service.close()
      files.close()
    }
  }

  private def at(places: (Long, BlockManagerId)*): Seq[MapStatus] =
    for ((mapTaskId, place) <- places) yield MapStatus(place, Array(1L), mapTaskId)

  test("what was moved is read from there, and what wasn't fails as the executor said") {
    write(1, 2)
    val (found, asked) = heard(failing, at(1L -> moved, 2L -> moved, 3L -> executor))
    assert(asked == 1)
    assert(found(1) == Right(1) && found(2) == Right(2))
    assert(found(3).left.exists(_.getMessage == "no such block"))
  }

  test("an executor that answers is believed, and the driver isn't asked") {
    val (found, asked) = heard(answering(7), fail())
    assert(found.values.forall(_ == Right(7)) && asked == 0)
  }

  test("of many requests that fail at once, the driver is asked once") {
    val (asked, failed) = (new AtomicInteger, new AtomicInteger)
    val (isAsked, mayAnswer) = (new CountDownLatch(1), new CountDownLatch(1))
    val conf = new SparkConf(false).set("spark.hpc.shuffle.route", "direct")
    val counts = new RouteCounts
    val files = containers(counts)
    val network = new StubTransferService(failing)
    val routes = new Routes(
      conf,
      network,
      directory,
      files,
      new OutputSizes(_ => None),
      "9",
      counts,
      new HeldBytes(1 << 20)
    )
    val newPlaces = new NewPlaces(
      routes,
      _ => {
        asked.incrementAndGet()
        isAsked.countDown()
        mayAnswer.await(60, TimeUnit.SECONDS)
        Nil
      }
    )
    val listener = new BlockFetchingListener {
      override def onBlockFetchSuccess(blockId: String, data: ManagedBuffer): Unit = ()
      override def onBlockFetchFailure(blockId: String, failure: Throwable): Unit =
        failed.incrementAndGet(): Unit
    }
    def fetch(): Unit = newPlaces.fetch(Seq(name(1)), listener, null)(failing(Seq(name(1)), _))
    try {
      fetch()
      assert(isAsked.await(60, TimeUnit.SECONDS))
      for (_ <- 1 to 100) fetch()
      mayAnswer.countDown()
      eventually(timeout(60.seconds))(assert(failed.get == 101))
      // The first answer was asked for before the others had failed.
      assert(asked.get == 2)
    } finally {
      newPlaces.stop()
      routes.stop()
      files.close()
    }
  }

  test("a driver that doesn't answer is one more reason of the same failure") {
    val (found, _) = heard(failing, throw new IOException("as told"))
    for (failure <- found.values.flatMap(_.left.toOption)) {
      assert(failure.getMessage == "no such block")
      assert(failure.getSuppressed.map(_.getMessage).toSeq == Seq("as told"))
    }
    assert(found.values.forall(_.isLeft))
  }

  test("a place that is gone again is a failure for each block") {
    val (found, _) = heard(failing, at(1L -> moved, 2L -> moved, 3L -> moved))
    assert(found.size == 3 && found.values.forall(_.isLeft))
  }
}
