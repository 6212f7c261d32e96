package org.apache.spark.hpc.scale

import java.lang.management.ManagementFactory
import java.util.concurrent.{CountDownLatch, TimeUnit}
import java.util.concurrent.atomic.AtomicLong

import scala.util.Random

import org.apache.spark.{
  HashPartitioner,
  MapOutputTrackerMaster,
  ShuffleDependency,
  SparkContext,
  SparkEnv
}
import org.apache.spark.network.BlockTransferService
import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.netty.NettyBlockTransferService
import org.apache.spark.network.shuffle.BlockFetchingListener
import org.apache.spark.rdd.ShuffledRDD
import org.apache.spark.shuffle.PlacedOutputs
import org.apache.spark.storage.ShuffleBlockId

/** Asks the one executor of this application for the blocks of thousands of reducers, over as many connections, all at
  * once: `MAPS REDUCERS BYTES PATCHED`, the number of bytes of a block, and whether this Spark is patched. Prints what
  * the executor takes meanwhile: sockets, open files, memory, CPU seconds.
  */
object OwnerScale {
  private val LimitMinutes = 5L

  def main(args: Array[String]): Unit = {
    val Array(maps, reducers, bytes) = args.take(3).map(_.toInt)
    val sc = new SparkContext
    try {
      val shuffle = write(sc, maps, reducers, bytes)
      val owner = sc.parallelize(Seq(1), 1).map(_ =>
        ManagementFactory.getRuntimeMXBean.getName.takeWhile(_ != '@').toLong
      ).first()
      val watch = new ProcessWatch(owner)
      val begun = System.nanoTime()
      val received = ask(sc, shuffle, reducers, isPatched = args(3).toBoolean)
      val seconds = (System.nanoTime() - begun) / 1e9
      println(f"owner=seconds:$seconds%.1f received:$received ${watch.stop()}")
      val expected = maps.toLong * reducers * bytes
      if (received < expected) throw new IllegalStateException(s"$received of $expected bytes came")
    } finally sc.stop()
  }

  /** Runs the map stage of a shuffle whose blocks hold so many bytes, which can't be compressed. */
  private def write(sc: SparkContext, maps: Int, reducers: Int, bytes: Int): Int = {
    val blocks = sc.range(0, maps.toLong, 1, maps).flatMap { map =>
      val random = new Random(map)
      Iterator.range(0, reducers).map { reducer =>
        val block = new Array[Byte](bytes)
        random.nextBytes(block)
        (reducer, block)
      }
    }
    val shuffled =
      new ShuffledRDD[Int, Array[Byte], Array[Byte]](blocks, new HashPartitioner(reducers))
    val its = shuffled.dependencies.head.asInstanceOf[ShuffleDependency[Int, Array[Byte], _]]
    sc.submitMapStage(its).get()
    its.shuffleId
  }

  /** Returns the number of bytes that came. */
  private def ask(sc: SparkContext, shuffle: Int, reducers: Int, isPatched: Boolean): Long = {
    val tracker = sc.env.mapOutputTracker.asInstanceOf[MapOutputTrackerMaster]
    val (places, tasks) = tracker.shuffleStatuses(shuffle)
      .withMapStatuses(_.map(status => (status.location, status.mapId)).toVector).unzip
    val Seq(owner) = places.distinct
    val network = connections(sc, reducers)
    val service = if (isPatched) Routed(sc.env, network) else network
    val (received, left) = (new AtomicLong, new CountDownLatch(reducers * tasks.size))
    try {
      for (reducer <- 0 until reducers) {
        val wanted = tasks.map(ShuffleBlockId(shuffle, _, reducer).name).toArray
        service.fetchBlocks(
          owner.host,
          owner.port,
          owner.executorId,
          wanted,
          new Count(received, left),
          null
        )
      }
      if (!left.await(LimitMinutes, TimeUnit.MINUTES))
        throw new IllegalStateException(
          s"${left.getCount} blocks didn't come within $LimitMinutes minutes"
        )
      received.get
    } finally network.close()
  }

  private def connections(sc: SparkContext, number: Int): NettyBlockTransferService = {
    val conf = sc.conf.clone.set("spark.shuffle.io.numConnectionsPerPeer", number.toString)
    val env = sc.env
    val service = new NettyBlockTransferService(
      conf,
      env.securityManager,
      env.serializerManager,
      "localhost",
      "localhost",
      0,
      2
    )
    service.init(env.blockManager)
    service
  }

  private final class Count(received: AtomicLong, left: CountDownLatch)
      extends BlockFetchingListener {
    override def onBlockFetchSuccess(blockId: String, data: ManagedBuffer): Unit = {
      received.addAndGet(data.size)
      left.countDown()
    }
    override def onBlockFetchFailure(blockId: String, failure: Throwable): Unit = {
      println(s"$blockId: $failure")
      left.countDown()
    }
  }
}

/** Reads from the places that map statuses name. Only a patched Spark has it. */
private object Routed {
  def apply(env: SparkEnv, network: BlockTransferService): BlockTransferService =
    PlacedOutputs.of(env.shuffleManager).fold(network)(_.around(network))
}
