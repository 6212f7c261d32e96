package org.sparkhpc.apps

import java.lang.management.ManagementFactory
import java.nio.ByteBuffer
import java.util.concurrent.{CountDownLatch, TimeUnit}
import java.util.concurrent.atomic.AtomicLong

import scala.collection.JavaConverters._
import scala.util.Random

import org.apache.spark.{
  HashPartitioner,
  ShuffleDependency,
  SparkConf,
  SparkContext,
  SparkEnv,
  TaskContext
}
import org.apache.spark.network.TransportContext
import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.client.{ChunkReceivedCallback, TransportClient}
import org.apache.spark.network.netty.SparkTransportConf
import org.apache.spark.network.server.NoOpRpcHandler
import org.apache.spark.network.shuffle.protocol.{BlockTransferMessage, OpenBlocks, StreamHandle}
import org.apache.spark.scheduler.{SparkListener, SparkListenerExecutorRemoved}

/** Asks the only executor for all of its map outputs, 32 times at once, and doesn't read the answers before
  * jobs ran there: `SlowReaders [SHARED]`. With SHARED it does so once more, in an application whose map
  * outputs are in that directory.
  */
object SlowReaders {
  private val Readers = 32
  private val Maps = 8
  private val Reducers = 160
  private val BlockBytes = 16 << 10
  private val Seconds = 240L

  def main(args: Array[String]): Unit = {
    ask("own", new SparkConf())
    for (shared <- args.headOption) {
      val inShared = new SparkConf()
        .set("spark.hpc.shuffle.placement", "global")
        .set("spark.hpc.shuffle.directory", shared)
      ask("shared", inShared)
    }
  }

  private def ask(name: String, conf: SparkConf): Unit = {
    val sc = new SparkContext(conf)
    val lost = new AtomicLong
    sc.addSparkListener(new SparkListener {
      override def onExecutorRemoved(event: SparkListenerExecutorRemoved): Unit =
        lost.incrementAndGet(): Unit
    })
    try {
      val tasks = sc.collectionAccumulator[Long]
      val written = sc.parallelize(0 until Maps, Maps).mapPartitionsWithIndex { (map, _) =>
        tasks.add(TaskContext.get().taskAttemptId())
        val random = new Random(map)
        Iterator.tabulate(Reducers)(reducer => (reducer, bytes(random)))
      }.partitionBy(new HashPartitioner(Reducers))
      val shuffle = written.dependencies.head.asInstanceOf[ShuffleDependency[_, _, _]].shuffleId
      // In few tasks, since each costs more than to read its blocks.
      val inFew = written.coalesce(4)
      def read(): Long = inFew.map(_._2.length.toLong).sum().toLong
      Report.line(s"$name.read", read())
      val blocks =
        for (task <- tasks.value.asScala; r <- 0 until Reducers)
          yield s"shuffle_${shuffle}_${task}_$r"
      val (host, port) = sc.range(0, 1, 1, 1).map { _ =>
        val at = SparkEnv.get.blockManager.blockManagerId
        (at.host, at.port)
      }.first()
      val transport = SparkTransportConf.fromSparkConf(sc.getConf, "shuffle")
      val connections = new TransportContext(transport, new NoOpRpcHandler).createClientFactory()
      val readers =
        Seq.fill(Readers)(new Reader(connections.createUnmanagedClient(host, port), blocks.toArray))
      val again = for (_ <- 1 to 5) yield {
        // Long enough for it to have begun with all answers.
        Thread.sleep(2000)
        read()
      }
      Report.line(s"$name.again", again.distinct.mkString(" "))
      val heap = sc.range(0, 1, 1, 1).map { _ =>
        System.gc()
        ManagementFactory.getMemoryMXBean.getHeapMemoryUsage.getUsed
      }.first()
      Report.line(s"$name.heap.mb", heap >> 20)
      readers.foreach(_.readOn())
      Report.line(s"$name.received", readers.map(_.received()).distinct.mkString(" "))
      Report.line(s"$name.blocks", blocks.size)
      connections.close()
    } finally sc.stop()
    Report.line(s"$name.lost", lost.get)
  }

  private def bytes(random: Random): Array[Byte] = {
    val bytes = new Array[Byte](BlockBytes)
    random.nextBytes(bytes)
    bytes
  }

  /** One connection, which asks for all blocks. */
  private final class Reader(client: TransportClient, blocks: Array[String]) {
    private val left = new CountDownLatch(blocks.length)
    private val bytes, failures = new AtomicLong

    private val stream = {
      val open = new OpenBlocks("any", "any", blocks).toByteBuffer
      val answer: ByteBuffer = client.sendRpcSync(open, TimeUnit.SECONDS.toMillis(Seconds))
      BlockTransferMessage.Decoder.fromByteBuffer(answer).asInstanceOf[StreamHandle].streamId
    }

    client.getChannel.config().setAutoRead(false)
    for (chunk <- blocks.indices) client.fetchChunk(
      stream,
      chunk,
      new ChunkReceivedCallback {
        override def onSuccess(chunk: Int, data: ManagedBuffer): Unit = {
          bytes.addAndGet(data.size)
          left.countDown()
        }
        override def onFailure(chunk: Int, failure: Throwable): Unit = {
          failures.incrementAndGet()
          left.countDown()
        }
      }
    )

    def readOn(): Unit = client.getChannel.config().setAutoRead(true): Unit

    /** How many blocks could not be had, and the bytes of the others. */
    def received(): (Long, Long) = {
      if (!left.await(Seconds, TimeUnit.SECONDS)) {
        throw new IllegalStateException(s"${left.getCount} blocks didn't come in $Seconds s")
      }
      (failures.get, bytes.get)
    }
  }
}
