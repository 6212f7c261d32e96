package org.apache.spark.shuffle.hpc

import java.nio.ByteBuffer

import org.apache.spark.{SparkContext, SparkEnv}
import org.apache.spark.shuffle.IndexShuffleBlockResolver.NOOP_REDUCE_ID
import org.apache.spark.storage.{ShuffleBlockId, ShuffleDataBlockId, ShuffleIndexBlockId}
import org.scalatest.funsuite.AnyFunSuite

/** Map outputs that decommissioned executors sent, read by other executors on the receiver's node. */
class ReceivedOutputsSuite extends AnyFunSuite with ShuffleJobs {
  private val received = 1000L
  private val blocks = Seq(Seq[Byte](1, 2, 3), Nil, Seq[Byte](4))

  private def resolver = ShuffleJobs.manager.shuffleBlockResolver

  /** What a decommissioned executor does here. */
  private def send(shuffle: Int): Unit = {
    val offsets = ByteBuffer.allocate((blocks.size + 1) * java.lang.Long.BYTES)
    blocks.scanLeft(0L)(_ + _.size).foreach(offsets.putLong)
    offsets.flip()
    val data = ByteBuffer.wrap(blocks.flatten.toArray)
    for (
      (blockId, bytes) <- Seq(
        ShuffleDataBlockId(shuffle, received, NOOP_REDUCE_ID) -> data,
        ShuffleIndexBlockId(shuffle, received, NOOP_REDUCE_ID) -> offsets
      )
    ) {
      val to = resolver.putShuffleBlockAsStream(blockId, SparkEnv.get.serializerManager)
      to.onData(to.getID, bytes)
      to.onComplete(to.getID)
    }
  }

  /** What an executor that knows the receiver's local directories reads. */
  private def readByNeighbour(shuffle: Int): Seq[Seq[Byte]] = {
    val dirs = Some(SparkEnv.get.blockManager.diskBlockManager.localDirsString)
    for (reducer <- blocks.indices) yield {
      val buffer =
        resolver.getBlockData(ShuffleBlockId(shuffle, received, reducer), dirs).nioByteBuffer()
      Seq.fill(buffer.remaining)(buffer.get())
    }
  }

  private def withLocal(test: SparkContext => Unit): Unit =
    withContext("spark.local.dir" -> shared.toString)(test)

  test("the receiver has no output of its own of that shuffle") {
    withLocal { _ =>
      send(shuffle = 7)
      assert(readByNeighbour(shuffle = 7) == blocks)
    }
  }

  test("the receiver has outputs of its own of that shuffle, and gets the first one late") {
    withLocal { sc =>
      send(shuffle = 0)
      assert(readByNeighbour(shuffle = 0) == blocks)
      assert(sc.range(0, 2000, 1, 8).map(n => (n % 50, n)).groupByKey(3).count() == 50)
      assert(readByNeighbour(shuffle = 0) == blocks)
      val own = resolver.getStoredShuffles().map(_.mapId).filter(_ != received)
      val dirs = Some(SparkEnv.get.blockManager.diskBlockManager.localDirsString)
      assert(own.size == 8)
      for (mapTaskId <- own; reducer <- 0 until 3) {
        val block = ShuffleBlockId(0, mapTaskId, reducer)
        val Seq(asNeighbour, asOwn) =
          Seq(dirs, None).map(resolver.getBlockData(block, _).nioByteBuffer())
        assert(asNeighbour == asOwn)
      }
    }
  }
}
