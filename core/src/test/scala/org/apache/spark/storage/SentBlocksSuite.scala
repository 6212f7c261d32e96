package org.apache.spark.storage

import java.nio.ByteBuffer

import scala.reflect.ClassTag

import org.apache.spark.network.buffer.NioManagedBuffer
import org.apache.spark.storage.ShortOfMemory.BlockBytes
import org.scalatest.funsuite.AnyFunSuite

/** Blocks that another executor sends, twice as many as there is room for in memory. */
class SentBlocksSuite extends AnyFunSuite with ShortOfMemory {
  private val Sent = 40
  private val rdd = 1000
  private val tag = implicitly[ClassTag[Any]]

  private def content(index: Int): ByteBuffer =
    manager.serializerManager
      .dataSerialize(RDDBlockId(rdd, index), Iterator[Any](Array.fill(BlockBytes)(index.toByte)))
      .toByteBuffer

  private def whole(index: Int, level: StorageLevel): Unit = {
    val data = new NioManagedBuffer(content(index))
    assert(manager.putBlockData(RDDBlockId(rdd, index), data, level, tag))
  }

  private def streamed(index: Int, level: StorageLevel): Unit = {
    val callback = manager.putBlockDataAsStream(RDDBlockId(rdd, index), level, tag)
    callback.onData(callback.getID, content(index))
    callback.onComplete(callback.getID)
  }

  private def kept: Seq[Int] = (0 until Sent).filter { index =>
    manager.getLocalValues(RDDBlockId(rdd, index)).exists { block =>
      block.data.asInstanceOf[Iterator[Array[Byte]]].toSeq.map(_.toSeq) ==
        Seq(Seq.fill(BlockBytes)(index.toByte))
    }
  }

  for {
    (way, send) <-
      Seq[(String, (Int, StorageLevel) => Unit)]("whole" -> whole, "streamed" -> streamed)
    level <- Seq(StorageLevel.MEMORY_ONLY, StorageLevel.MEMORY_ONLY_SER)
  } test(s"blocks sent $way go to disk when memory is full: ${level.description}") {
    withContext() { sc =>
      (0 until Sent).foreach(send(_, level))
      assert(kept == (0 until Sent))
      sc.env.blockManager.removeRdd(rdd)
      assert(kept.isEmpty)
      assert(manager.diskBlockManager.getAllBlocks().isEmpty)
    }
  }

  test("with spill never, what doesn't fit isn't kept") {
    withContext("spark.hpc.retention.spill" -> "never") { _ =>
      (0 until Sent).foreach { index =>
        manager.putBlockData(
          RDDBlockId(rdd, index),
          new NioManagedBuffer(content(index)),
          StorageLevel.MEMORY_ONLY,
          tag
        )
      }
      assert(kept.size < Sent)
    }
  }
}
