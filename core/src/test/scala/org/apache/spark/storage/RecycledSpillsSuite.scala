package org.apache.spark.storage

import java.nio.charset.StandardCharsets.UTF_8

import org.apache.spark.{HashPartitioner, SparkContext, SparkEnv}
import org.apache.spark.executor.ShuffleWriteMetrics
import org.apache.spark.unsafe.Platform
import org.apache.spark.util.collection.unsafe.sort.UnsafeSorterSpillWriter
import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.tier.Tier

/** Real jobs whose spills share files of a shared file system. */
class RecycledSpillsSuite extends AnyFunSuite with Scratchful {
  import RecycledSpillsSuite._

  private val kryo = "spark.serializer" -> "org.apache.spark.serializer.KryoSerializer"
  private val sorted = "spark.shuffle.sort.bypassMergeThreshold" -> "1"

  /** So many maps, each of which spills twice at least. */
  private def shuffle(sc: SparkContext, maps: Int): Unit = {
    val pairs = sc.range(0, maps * Each, 1, maps).map(n => (n * 7919 % Each, n.toString * 20))
    val counts = pairs.partitionBy(new HashPartitioner(7)).map(_._2.length.toLong)
    assert(counts.sum() == (0L until maps * Each).map(_.toString.length * 20.0).sum)
  }

  private def withShared(settings: (String, String)*)(test: (SparkContext, Tier) => Unit): Unit =
    below { folder =>
      withContext(s"global:$folder", settings: _*)(sc => test(sc, tiers(sc).all.head))
      assert(filesIn(folder).isEmpty)
    }

  private def spillsThere(tier: Tier): Int =
    tier.directory.list.count(_.startsWith("temp_local_shared_"))

  for {
    (writer, of) <- Seq(
      "sorted objects" -> Seq(sorted),
      "sorted bytes, copied by channels" -> Seq(sorted, kryo),
      "sorted bytes, copied by streams" -> Seq(sorted, kryo, "spark.file.transferTo" -> "false"),
      "encrypted objects" -> Seq(sorted, "spark.io.encryption.enabled" -> "true"),
      "encrypted bytes" -> Seq(sorted, kryo, "spark.io.encryption.enabled" -> "true"),
      "compressed bytes" -> Seq(sorted, kryo, "spark.shuffle.compress" -> "true")
    )
  } test(s"the files of one map task's spills are the next one's: $writer") {
    withShared(of: _*) { (sc, tier) =>
      shuffle(sc, maps = 2)
      val files = spillsThere(tier)
      assert(files >= 2)
      val before = tier.recycled
      shuffle(sc, maps = 4)
      assert(spillsThere(tier) == files)
      assert(tier.recycled >= before + 4 * files)
      assertEmpty(Seq(tier))
    }
  }

  test("sorts and groupings of reducers share them, too") {
    withShared() { (sc, tier) =>
      sortAndGroup(sc)
      assert(tier.recycled > 0 && spillsThere(tier) < 20)
      assertEmpty(Seq(tier))
    }
  }

  test("SQL's spills are read back from them") {
    withShared() { (_, tier) =>
      val env = SparkEnv.get
      for (spill <- 1 to 3) {
        val records = (0 until 20000 / spill).map(n => s"$spill: $n".getBytes(UTF_8))
        val writer = new UnsafeSorterSpillWriter(
          env.blockManager,
          1 << 15,
          new ShuffleWriteMetrics,
          records.length
        )
        for ((record, n) <- records.zipWithIndex)
          writer.write(record, Platform.BYTE_ARRAY_OFFSET.toLong, record.length, n.toLong)
        writer.close()
        val reader = writer.getReader(env.serializerManager)
        for ((record, n) <- records.zipWithIndex) {
          assert(reader.hasNext)
          reader.loadNext()
          assert(reader.getKeyPrefix == n && reader.getRecordLength == record.length)
          val bytes = new Array[Byte](record.length)
          Platform.copyMemory(
            reader.getBaseObject,
            reader.getBaseOffset,
            bytes,
            Platform.BYTE_ARRAY_OFFSET.toLong,
            record.length.toLong
          )
          assert(bytes.toSeq == record.toSeq)
        }
        assert(!reader.hasNext && writer.getFile.delete())
      }
      assert(tier.recycled == 2 && spillsThere(tier) == 1)
    }
  }

  test("of few maps, that have a file for each reducer, none is") {
    withShared("spark.shuffle.sort.bypassMergeThreshold" -> "100") { (sc, tier) =>
      shuffle(sc, maps = 4)
      assert(tier.recycled == 0 && spillsThere(tier) == 0)
    }
  }

  test("switched off, each spill has a file of its own") {
    withShared(sorted, "spark.hpc.scratch.kept" -> "0") { (sc, tier) =>
      shuffle(sc, maps = 4)
      assert(tier.recycled == 0 && spillsThere(tier) == 0)
    }
  }

  test("unasked, those in a spark.local.dir that is shared share files, those on a disk don't") {
    def recycled(kind: String): Option[Long] = below { folder =>
      val count = withoutList(
        sorted,
        "spark.local.dir" -> folder.toString,
        "spark.hpc.scratch.kind" -> kind
      ) { sc =>
        shuffle(sc, maps = 4)
        blocks(sc).tiers.map { tiers =>
          sortAndGroup(sc)
          assertEmpty(tiers.all)
          assert(tiers.home.directory.toPath.startsWith(folder))
          tiers.home.recycled
        }
      }
      assert(filesIn(folder).isEmpty)
      count
    }
    assert(recycled("shared").exists(_ > 0))
    assert(recycled("local").isEmpty && recycled("auto").isEmpty)
  }
}

private object RecycledSpillsSuite {

  // Records of a map: two spills, and some.
  private val Each = 3200L
}
