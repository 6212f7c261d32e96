package org.apache.spark.shuffle.hpc.read

import java.io.InputStream
import java.nio.ByteBuffer
import java.nio.channels.WritableByteChannel
import java.util.concurrent.{ConcurrentHashMap, CountDownLatch, LinkedBlockingQueue, TimeUnit}

import scala.collection.JavaConverters._
import scala.reflect.ClassTag

import org.apache.spark.{SecurityManager, SparkConf, TaskContext}
import org.apache.spark.network.{BlockDataManager, BlockTransferService}
import org.apache.spark.network.buffer.{ManagedBuffer, NioManagedBuffer}
import org.apache.spark.network.client.StreamCallbackWithID
import org.apache.spark.network.netty.NettyBlockTransferService
import org.apache.spark.network.shuffle.BlockFetchingListener
import org.apache.spark.network.shuffle.checksum.Cause
import org.apache.spark.network.util.AbstractFileRegion
import org.apache.spark.serializer.{JavaSerializer, SerializerManager}
import org.apache.spark.shuffle.hpc.StubTransferService
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.storage.{BlockId, ShuffleBlockId, StorageLevel}
import org.scalatest.concurrent.Eventually._
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._

class NetworkRouteSuite extends AnyFunSuite {
  import NetworkRouteSuite._

  private def using[N <: BlockTransferService](network: N, deadline: String)(
      test: NetworkRoute => Unit
  ): Unit = {
    val conf = settings.set("spark.hpc.shuffle.network.timeout", deadline)
    val route = new NetworkRoute(conf, network, new RouteCounts)
    try test(route)
    finally
      try route.stop()
      finally network.close()
  }

  test("an owner isn't given up for what its request waits behind: others that are dead") {
    val interrupted = ConcurrentHashMap.newKeySet[String]()
    val network = new StubTransferService((ids, listener) =>
      if (ids.head == "healthy") ids.foreach(listener.onBlockFetchSuccess(_, buffer(1)))
      else
        // As connecting to a node that is no longer there.
        try new CountDownLatch(1).await()
        catch {
          case ended: InterruptedException =>
            interrupted.add(ids.head)
            throw ended
        }
    )
    using(network, "1s") { route =>
      val dead = (1 to 2 * AsksAtOnce).map(n => new Asked(s"dead-$n"))
      val healthy = new Asked("healthy")
      (dead :+ healthy).foreach(_.by(route))
      assert(healthy.hear() == Right(1))
      for (owner <- dead) assert(owner.hear().left.exists(_.contains("nothing came from executor")))
      // None keeps a thread.
      eventually(timeout(30.seconds))(assert(interrupted.asScala == dead.map(_.block).toSet))
    }
  }

  test("what waits behind an owner that was given up isn't asked any more") {
    val network = new StubTransferService((_, _) => new CountDownLatch(1).await())
    using(network, "1s") { route =>
      val asked = (1 to 2 * AsksAtOnce).map(n => new Asked(s"dead-$n", executor = "dead"))
      asked.foreach(_.by(route))
      assert(asked.map(_.hear().left.get).count(_.contains("isn't asked again yet")) >= AsksAtOnce)
      assert(network.asked.size == AsksAtOnce)
    }
  }

  test("a large block that comes slowly is waited for, one of which nothing comes isn't") {
    // Its parts come well within the deadline, and all of it long after.
    for ((pause, isWaitedFor) <- Seq(240L -> true, 30000L -> false)) {
      val owner = service(new SlowBuffer(parts = 25, pause))
      try
        using(service(buffer(1)), "3s") { route =>
          val asked = new Asked(Block, "localhost", owner.port)
          asked.by(route)
          val heard = asked.hear()
          assert(heard.isRight == isWaitedFor, heard)
        }
      finally owner.close()
    }
  }
}

private object NetworkRouteSuite {
  // As in NetworkRoute.
  private val AsksAtOnce = 64
  private val PartSize = 100000
  private val Block = ShuffleBlockId(3, 1, 0).name

  private def settings: SparkConf = new SparkConf(false).set("spark.app.id", "routes")

  private def buffer(value: Byte): ManagedBuffer =
    new NioManagedBuffer(ByteBuffer.wrap(Array(value)))

  /** A question for a block, of the executor of the same name unless said otherwise. */
  private class Asked(
      val block: String,
      host: String = "node-17",
      port: Int = 7077,
      executor: String = ""
  ) {
    private val answers = new LinkedBlockingQueue[Either[String, Int]]

    def by(route: NetworkRoute): Unit = {
      val listener = new BlockFetchingListener {
        override def onBlockFetchSuccess(blockId: String, data: ManagedBuffer): Unit =
          answers.add(Right(data.nioByteBuffer().get(0).toInt)): Unit
        override def onBlockFetchFailure(blockId: String, failure: Throwable): Unit =
          answers.add(Left(failure.getMessage)): Unit
      }
      val owner =
        NetworkRoute.Owner(if (executor.isEmpty) s"of-$block" else executor, host, port)
      val once = new AnsweredOnce(Seq(block), listener)
      route.fetchCopy(owner, once, null)(once.failRest(_))
    }

    def hear(): Either[String, Int] =
      Option(answers.poll(60, TimeUnit.SECONDS)).getOrElse(Left("no answer"))
  }

  /** Spark's own, which has a block. */
  private def service(block: ManagedBuffer): NettyBlockTransferService = {
    val conf = settings
    val security = new SecurityManager(conf)
    val serializers = new SerializerManager(new JavaSerializer(conf), conf)
    val service = new NettyBlockTransferService(
      conf,
      security,
      serializers,
      "localhost",
      "localhost",
      0,
      1
    )
    service.init(new OneBlock(block))
    service
  }

  private final class OneBlock(block: ManagedBuffer) extends BlockDataManager {
    override def getLocalBlockData(blockId: BlockId): ManagedBuffer = block
    override def getHostLocalShuffleData(blockId: BlockId, dirs: Array[String]): ManagedBuffer =
      block
    override def getLocalDiskDirs: Array[String] = Array.empty
    override def putBlockData(
        blockId: BlockId,
        data: ManagedBuffer,
        level: StorageLevel,
        classTag: ClassTag[_]
    ): Boolean = false
    override def putBlockDataAsStream(
        blockId: BlockId,
        level: StorageLevel,
        classTag: ClassTag[_]
    ): StreamCallbackWithID = throw new UnsupportedOperationException
    override def diagnoseShuffleBlockCorruption(
        blockId: BlockId,
        checksum: Long,
        algorithm: String
    ): Cause = Cause.UNKNOWN_ISSUE
    override def releaseLock(
        blockId: BlockId,
        task: Option[TaskContext]
    ): Unit = ()
  }

  /** A block that its owner's network sends in parts, each after a pause. */
  private final class SlowBuffer(parts: Int, pause: Long) extends ManagedBuffer {
    override def size: Long = parts.toLong * PartSize
    override def nioByteBuffer(): ByteBuffer = throw new UnsupportedOperationException
    override def createInputStream(): InputStream = throw new UnsupportedOperationException
    override def retain(): ManagedBuffer = this
    override def release(): ManagedBuffer = this

    override def convertToNetty(): AnyRef = new AbstractFileRegion {
      private var sent = 0L
      override def count: Long = size
      override def position: Long = 0
      override def transferred: Long = sent
      override def deallocate(): Unit = ()
      override def transferTo(target: WritableByteChannel, from: Long): Long = {
        if (sent % PartSize == 0) Thread.sleep(pause)
        val part = ByteBuffer.allocate((PartSize - sent % PartSize).toInt)
        val written = target.write(part).toLong
        sent += written
        written
      }
    }
  }
}
