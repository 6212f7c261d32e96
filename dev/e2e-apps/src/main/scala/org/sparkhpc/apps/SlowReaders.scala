package org.sparkhpc.apps

import java.lang.management.ManagementFactory
import java.nio.ByteBuffer
import java.util.concurrent.{CountDownLatch, TimeUnit}
import java.util.concurrent.atomic.AtomicLong

import scala.collection.JavaConverters._
import scala.util.Random

import org.apache.spark.{HashPartitioner, ShuffleDependency, SparkContext, SparkEnv, TaskContext}
import org.apache.spark.network.TransportContext
import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.client.{ChunkReceivedCallback, TransportClient}
import org.apache.spark.network.netty.SparkTransportConf
import org.apache.spark.network.server.NoOpRpcHandler
import org.apache.spark.network.shuffle.protocol.{BlockTransferMessage, OpenBlocks, StreamHandle}
import org.apache.spark.scheduler.{SparkListener, SparkListenerExecutorRemoved}

/** Asks the only executor for all of its map outputs, 48 times at once, and doesn't read the answers before
  * jobs ran there.
  */
object SlowReaders {
  private val Readers = 48
  private val Maps = 8
  private val Reducers = 160
  private val BlockBytes = 16 << 10
  private val Seconds = 240L

  def main(args: Array[String]): Unit = {
    val sc = SparkContext.getOrCreate()
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
      def read(): Long = written.map(_._2.length.toLong).sum().toLong
      Report.line("read", read())
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
      val again = for (_ <- 1 to 10) yield {
        Thread.sleep(300)
        read()
      }
      Report.line("again", again.distinct.mkString(" "))
      val heap = sc.range(0, 1, 1, 1).map { _ =>
        System.gc()
        ManagementFactory.getMemoryMXBean.getHeapMemoryUsage.getUsed
      }.first()
      Report.line("heap.mb", heap >> 20)
      readers.foreach(_.readOn())
      Report.line("received", readers.map(_.received()).distinct.mkString(" "))
      Report.line("blocks", blocks.size)
    } finally sc.stop()
    Report.line("lost", lost.get)
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
