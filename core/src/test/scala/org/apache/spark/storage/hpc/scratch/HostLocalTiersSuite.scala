package org.apache.spark.storage.hpc.scratch

import java.io.RandomAccessFile
import java.nio.ByteBuffer
import java.nio.file.Files

import com.google.common.io.ByteStreams
import org.apache.spark.{SparkContext, SparkEnv}
import org.apache.spark.storage.{BlockId, RDDBlockId, Scratchful}
import org.apache.spark.storage.hpc.disk.HpcDiskStore
import org.scalatest.funsuite.AnyFunSuite

/** Blocks of another executor of this node, read where its tiers have them. */
class HostLocalTiersSuite extends AnyFunSuite with Scratchful {
  private val bytes = Array.tabulate(100000)(_.toByte)

  /** Another executor's files. */
  private final class Other(sc: SparkContext) extends AutoCloseable {
    val blocks = new HpcDiskBlockManager(sc.getConf, deleteFilesOnStop = true, isDriver = false)
    val store = new HpcDiskStore(sc.getConf, blocks, SparkEnv.get.securityManager)

    def put(block: BlockId): BlockId = {
      store.put(block) { channel =>
        channel.write(ByteBuffer.wrap(bytes))
        ()
      }
      block
    }

    def tierOf(block: BlockId): Int =
      blocks.tiers.get.all.indexOf(blocks.tiers.get.of(blocks.getFile(block).getPath))

    override def close(): Unit = {
      store.pool.foreach(_.close())
      blocks.stop()
    }
  }

  private def withOther(scratch: String, settings: (String, String)*)(
      test: (SparkContext, Other) => Unit
  ): Unit =
    withContext(scratch, settings: _*) { sc =>
      val other = new Other(sc)
      try test(sc, other)
      finally other.close()
    }

  private def readOf(sc: SparkContext, other: Other, block: BlockId): Option[Seq[Byte]] =
    sc.env.blockManager
      .readDiskBlockFromSameHostExecutor(block, other.blocks.localDirsString, bytes.length)
      .map { buffer =>
        val in = buffer.createInputStream()
        try ByteStreams.toByteArray(in).toSeq
        finally in.close()
      }

  for (encrypted <- Seq(false, true))
    test(s"each is found in its tier, and not when it is gone ($encrypted)") {
      below { folder =>
        val list = s"local:$folder/a?capacity=150k,local:$folder/b?capacity=150k,local:$folder/c"
        withOther(list, "spark.io.encryption.enabled" -> encrypted.toString) { (sc, other) =>
          val written = (0 to 2).map(i => other.put(RDDBlockId(7, i)))
          assert(written.map(other.tierOf) == Seq(0, 1, 2))
          for (block <- written) assert(readOf(sc, other, block).contains(bytes.toSeq))
          for (block <- written) other.store.remove(block)
          for (block <- written) assert(readOf(sc, other, block).isEmpty)
        }
      }
    }

  for ((which, where) <- Seq("the home tier" -> 1, "another tier" -> 0))
    test(s"a block in the driver's directory is found: $which is global") {
      below { folder =>
        withOther(s"local:$folder/a,local:$folder/b") { (sc, other) =>
          for (blocks <- Seq(sc.env.blockManager.diskBlockManager, other.blocks)) {
            val tier = HpcDiskBlockManager.of(blocks).get.tiers.get.all(where)
            val ofDriver = tier.directory.toPath.resolveSibling("of-driver")
            tier.forAll =
              Some(Files.createDirectories(ofDriver.resolve(tier.directory.getName)).toFile)
          }
          val file = Files.write(
            other.blocks.tiers.get.all(where).forAll.get.toPath.resolve("rdd_7_0"),
            bytes
          )
          val block = RDDBlockId(7, 0)
          assert(readOf(sc, other, block).contains(bytes.toSeq))
          Files.delete(file)
          assert(readOf(sc, other, block).isEmpty)
        }
      }
    }

  for (
    (where, capacity, tier) <- Seq(("in a tier", "1m", 0), ("at home, where Spark looks", "1k", 1))
  )
    test(s"a file that isn't whole isn't the block ($where)") {
      below { folder =>
        withOther(s"local:$folder/a?capacity=$capacity,local:$folder/b") { (sc, other) =>
          val block = other.put(RDDBlockId(7, 0))
          assert(other.tierOf(block) == tier)
          val file = new RandomAccessFile(other.blocks.getFile(block), "rw")
          try file.setLength(bytes.length - 1L)
          finally file.close()
          assert(readOf(sc, other, block).isEmpty)
        }
      }
    }

  test("an executor that wrote nothing down is asked for its blocks") {
    below { folder =>
      withOther(s"local:$folder/a,local:$folder/b") { (sc, other) =>
        val block = other.put(RDDBlockId(7, 0))
        assert(other.blocks.localDirs.head.toPath.resolve("tiers").toFile.delete())
        assert(readOf(sc, other, block).isEmpty)
      }
    }
  }
}
