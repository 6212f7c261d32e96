package org.apache.spark.storage

import java.io.EOFException
import java.nio.ByteBuffer
import java.nio.file.Files

import com.google.common.io.ByteStreams
import org.apache.spark.{SparkContext, SparkEnv}
import org.apache.spark.util.io.ChunkedByteBuffer
import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.file.PoolCounts

/** Cached blocks on disk, read through the pool. */
class PooledBlocksSuite extends AnyFunSuite with LocalSpark {

  private def withContext[A](settings: (String, String)*)(test: SparkContext => A): A =
    withSpark(2, settings: _*)(test)

  private def counts: PoolCounts = store.pool.get.counts

  private def cachedOnDisk(sc: SparkContext): Unit = {
    val rdd = sc.parallelize(1 to 10000, 5).persist(StorageLevel.DISK_ONLY)
    for (_ <- 1 to 4) assert(rdd.sum() == 50005000)
    rdd.unpersist(blocking = true): Unit
  }

  test("a cached block is opened once for all jobs, and closed when it is unpersisted") {
    withContext() { sc =>
      cachedOnDisk(sc)
      // The first job computes them, and reads back what it wrote.
      assert(counts.opens == 5 && counts.hits >= 15 && counts.evictions == 0)
      assert(counts.openNow == 0)
    }
  }

  test("encrypted blocks are read as in stock Spark") {
    withContext("spark.io.encryption.enabled" -> "true") { sc =>
      cachedOnDisk(sc)
      assert(counts.opens == 0)
    }
  }

  /** Each way in which Spark takes a block's bytes. */
  private def waysOf(data: BlockData): Map[String, Array[Byte]] = Map(
    "stream" -> ByteStreams.toByteArray(data.toInputStream()),
    "chunks" -> data.toChunkedByteBuffer(ByteBuffer.allocate).toArray,
    "direct chunks" -> data.toChunkedByteBuffer(ByteBuffer.allocateDirect).toArray,
    "buffer" -> new ChunkedByteBuffer(data.toByteBuffer()).toArray
  )

  private val block = RDDBlockId(7, 1)

  private def put(bytes: Array[Byte]): Unit =
    store.putBytes(block, new ChunkedByteBuffer(ByteBuffer.wrap(bytes)))

  for (
    settings <- Seq(
      Seq("spark.storage.memoryMapThreshold" -> "1m"),
      Seq("spark.storage.memoryMapThreshold" -> "1"),
      Seq("spark.storage.memoryMapLimitForTests" -> "100001", "spark.shuffle.file.buffer" -> "1k"),
      Seq("spark.hpc.pool.enabled" -> "false")
    )
  )
    test(s"a block comes back as it was written, ${settings.mkString(", ")}") {
      withContext(settings: _*) { _ =>
        for (size <- Seq(1, 1000, 100000)) {
          val bytes = Array.tabulate(size)(at => (at * 7 + at / 256).toByte)
          put(bytes)
          for ((way, got) <- waysOf(store.getBytes(block)))
            assert(got.sameElements(bytes), s"$way of $size bytes")
          assert(store.remove(block))
          assert(store.pool.isEmpty == settings.contains("spark.hpc.pool.enabled" -> "false"))
          store.pool.foreach(pool => assert(pool.counts.openNow == 0))
        }
      }
    }

  test("chunks are as long as Spark's") {
    withContext("spark.storage.memoryMapLimitForTests" -> "400") { _ =>
      put(new Array[Byte](1000))
      val chunks = store.getBytes(block).toChunkedByteBuffer(ByteBuffer.allocate).getChunks()
      assert(chunks.map(_.limit()).toSeq == Seq(400, 400, 200))
    }
  }

  test("a block written again under its name isn't read from the old file") {
    withContext() { _ =>
      for (content <- Seq[Byte](1, 2, 3)) {
        put(Array.fill(10)(content)) // the second time Spark deletes what it finds
        assert(ByteStreams.toByteArray(store.getBytes(block).toInputStream()).toSet == Set(content))
      }
    }
  }

  test("a block whose file is too short is an error, not less data") {
    withContext() { _ =>
      put(new Array[Byte](1000))
      val file = SparkEnv.get.blockManager.diskBlockManager.getFile(block)
      Files.write(file.toPath, new Array[Byte](999))
      val data = store.getBytes(block)
      assert(intercept[EOFException](data.toByteBuffer()).getMessage.contains("1000"))
      intercept[EOFException](data.toChunkedByteBuffer(ByteBuffer.allocate))
    }
  }
}
