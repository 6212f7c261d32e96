package org.apache.spark.storage.hpc.spill

import java.io.IOException
import java.util.UUID

import org.apache.spark.SparkConf
import org.apache.spark.executor.ShuffleWriteMetrics
import org.apache.spark.serializer.{JavaSerializer, SerializerManager}
import org.apache.spark.storage.TempLocalBlockId
import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.tier.{TemporaryTiers, Tiers}
import org.sparkhpc.tier.TemporaryTiers.{filesIn, Size}

/** What a writer of spills makes of a tier that loses bytes as a file is closed. */
class TieredWriterSuite extends AnyFunSuite {
  private val conf = new SparkConf
  private val serializer = new JavaSerializer(conf)

  private def withLossyTier(test: (Tiers, TieredWriter) => Unit): Unit =
    TemporaryTiers(Size(refusesAtClose = true)) { (tiers, _) =>
      val blockId = TempLocalBlockId(UUID.randomUUID())
      val writer = new TieredWriter(
        tiers.newFile(blockId.name),
        tiers,
        new SerializerManager(serializer, conf),
        serializer.newInstance(),
        1024,
        false,
        new ShuffleWriteMetrics,
        blockId,
        _ => false
      )
      writer.write("a", 1)
      test(tiers, writer)
    }

  private def assertLost(close: => Unit): Unit =
    assert(intercept[IOException](close).getMessage.contains("as it was closed"))

  test("it fails with the last segment") {
    withLossyTier { (tiers, writer) =>
      assertLost(writer.close())
      assert(tiers.all.head.used == 0)
    }
  }

  test("it fails when there is nothing to revert, which is how Spark ends after a full batch") {
    withLossyTier { (tiers, writer) =>
      writer.commitAndGet()
      assertLost(writer.revertPartialWritesAndClose(): Unit)
      writer.closeAndDelete()
      assert(tiers.all.head.used == 0)
    }
  }

  test("what nobody will read is given up without a failure") {
    for (
      end <- Seq[TieredWriter => Unit](_.revertPartialWritesAndClose(): Unit, _.closeAndDelete())
    )
      withLossyTier { (tiers, writer) =>
        val tier = tiers.all.head
        for (n <- 1 to 10000) writer.write("a", n)
        assert(filesIn(tier).nonEmpty && tier.used > 0)
        end(writer)
        assert(filesIn(tier).isEmpty && tier.used == 0)
      }
  }
}
