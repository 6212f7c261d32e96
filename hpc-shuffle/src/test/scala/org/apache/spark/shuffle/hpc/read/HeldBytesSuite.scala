package org.apache.spark.shuffle.hpc.read

import java.io.{ByteArrayOutputStream, IOException}
import java.nio.channels.Channels
import java.nio.file.Files
import java.util.concurrent.{ConcurrentHashMap, CountDownLatch, TimeUnit}

import scala.collection.JavaConverters._

import com.google.common.io.ByteStreams
import io.netty.channel.FileRegion
import org.apache.spark.SparkConf
import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.shuffle.BlockFetchingListener
import org.apache.spark.shuffle.hpc.RoutesFixture
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.{ContainerFile, OutputDirectory, OutputPlace}
import org.apache.spark.shuffle.hpc.serve.ServedBlocks
import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.container.{Block, ContainerFixture}

/** Blocks for which there is room in the heap, and others. */
class HeldBytesSuite extends AnyFunSuite with RoutesFixture {
  import RoutesFixture._

  private val place = OutputPlace(Owner, Shuffle, "0", "node-17", 7077)

  private def container: ContainerFile = new OutputDirectory(path).container(place)

  /** What a reducer with a heap of so many bytes has been given, and not released yet. */
  private def fetched(
      held: HeldBytes,
      tasks: Seq[Long]
  ): Map[Long, Either[Throwable, ManagedBuffer]] = {
    val counts = new RouteCounts
    val route = new DirectRoute(
      new SparkConf(false),
      new OutputDirectory(path),
      containers(counts),
      counts,
      held
    )
    val got = new ConcurrentHashMap[Long, Either[Throwable, ManagedBuffer]]
    val left = new CountDownLatch(tasks.size)
    val listener = new BlockFetchingListener {
      override def onBlockFetchSuccess(blockId: String, data: ManagedBuffer): Unit = {
        got.put(mapId(blockId), Right(data.retain()))
        left.countDown()
      }
      override def onBlockFetchFailure(blockId: String, failure: Throwable): Unit = {
        got.put(mapId(blockId), Left(failure))
        left.countDown()
      }
    }
    try {
      val answers = new AnsweredOnce(tasks.map(name), listener)
      route.fetch(new Route.Request(place, answers, null))(answers.failRest(_))
      assert(left.await(60, TimeUnit.SECONDS))
    } finally route.stop()
    got.asScala.toMap
  }

  private def content(data: ManagedBuffer): Seq[Byte] = {
    val in = data.createInputStream()
    try ByteStreams.toByteArray(in).toSeq
    finally in.close()
  }

  test(
    "a reducer keeps as many blocks as there is room for, and reads the others when it comes to them"
  ) {
    val tasks = 0L until 20L
    write(tasks: _*)
    val held = new HeldBytes(5)
    val got = fetched(held, tasks)
    assert(held.now == 5)
    for (task <- tasks) assert(content(got(task).right.get) == Seq(task.toByte))
    got.values.foreach(_.right.get.release())
    assert(held.now == 0)
  }

  test("a damaged block is known before its task comes to it, whether it is kept or not") {
    for (room <- Seq(0L, 100L)) {
      write(1L, 2L)
      val file = container.path
      // The first block's only byte.
      ContainerFixture.flip(file, Files.size(file) - 10, 1)
      val held = new HeldBytes(room)
      val got = fetched(held, Seq(1, 2))
      assert(got(1).isLeft && content(got(2).right.get) == Seq(2.toByte))
      got(2).right.get.release()
      assert(held.now == 0)
      Files.delete(file)
    }
  }

  private def sent(data: ManagedBuffer): Seq[Byte] = data.convertToNetty() match {
    case region: FileRegion =>
      val to = new ByteArrayOutputStream
      val channel = Channels.newChannel(to)
      while (region.transferred < region.count) region.transferTo(channel, region.transferred)
      region.release()
      to.toByteArray.toSeq
    case buffer: io.netty.buffer.ByteBuf => ContainerFixture.array(buffer.nioBuffer())
  }

  test("blocks are sent from the heap while there is room, and otherwise from their container") {
    write(1L, 2L)
    val held = new HeldBytes(1)
    val files = containers(new RouteCounts)
    try {
      val served = new ServedBlocks(files, held)
      val both = Seq(1L, 2L).map(task => served.of(container, Block(task, 0, 1)))
      assert(held.now == 1)
      assert(both.map(sent) == Seq(Seq(1), Seq(2)))
      both.foreach(_.release())
      assert(held.now == 0)
    } finally files.close()
  }

  test("who asks for a damaged block hears of it before anything is sent") {
    write(1L)
    ContainerFixture.flip(container.path, Files.size(container.path) - 5, 1)
    for (room <- Seq(0L, 100L)) {
      val held = new HeldBytes(room)
      val files = containers(new RouteCounts)
      try {
        intercept[IOException](new ServedBlocks(files, held).of(container, Block(1, 0, 1)))
        assert(held.now == 0)
      } finally files.close()
    }
  }
}
