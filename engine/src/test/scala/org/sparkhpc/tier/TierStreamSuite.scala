package org.sparkhpc.tier

import java.io.{File, FileInputStream, IOException}
import java.nio.ByteBuffer
import java.nio.file.Files

import com.google.common.io.ByteStreams
import org.apache.commons.io.FileUtils
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import org.sparkhpc.tier.TemporaryTiers.{filesIn, Size}

class TierStreamSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  import TierStreamSuite._

  private def bytes(length: Int, seed: Int): Array[Byte] =
    Array.tabulate(length)(i => (i * 31 + seed).toByte)

  private def content(file: File): Array[Byte] = {
    val in = new FileInputStream(file)
    try ByteStreams.toByteArray(in)
    finally in.close()
  }

  private def used(tiers: Tiers): Seq[Long] = tiers.all.map(_.used)
  private def lengths(tiers: Tiers): Seq[Long] = tiers.all.map(filesIn(_).map(_.length).sum)

  private val limits = Gen.frequency(1 -> Gen.const(Long.MaxValue), 4 -> Gen.choose(0L, 3000L))
  private val sizes = for (capacity <- limits; device <- limits) yield Size(capacity, device)
  private val writes = Gen.listOf(Gen.choose(0, 700))

  test("whatever has no room and wherever it fails, the file holds what was written") {
    forAll(Gen.listOf(sizes), writes) { (before, lengthsOfWrites) =>
      TemporaryTiers(before :+ Size(): _*) { (tiers, _) =>
        val file = tiers.file("f")
        val stream = new TierStream(file, tiers)
        val pieces = lengthsOfWrites.zipWithIndex.map { case (length, i) => bytes(length, i) }
        pieces.foreach(stream.write)
        stream.close()
        if (pieces.nonEmpty) assert(content(file).toSeq == pieces.flatten)
        assert(stream.position == pieces.map(_.length).sum)
        assert(used(tiers) == lengths(tiers))
        assert(tiers.all.map(filesIn(_).size).sum == math.min(1, pieces.size))
        assert(tiers.file("f").getPath == file.getPath)
        file.delete()
        assert(used(tiers).forall(_ == 0) && tiers.all.forall(_.files == 0))
        assert(tiers.all.flatMap(filesIn).isEmpty)
      }
    }
  }

  test("when no tier takes it, it fails, stays failed, and leaves nothing behind") {
    forAll(Gen.nonEmptyListOf(sizes.map(_.copy(capacity = 1000L))), writes) { (all, lengths) =>
      TemporaryTiers(all: _*) { (tiers, _) =>
        val stream = new TierStream(tiers.file("f"), tiers)
        lengths.foreach { length =>
          try if (stream.isOpen) stream.write(bytes(length, 0))
          catch { case _: NoRoom => intercept[NoRoom](stream.write(1)) }
        }
        stream.close()
        if (lengths.sum > 1000) intercept[NoRoom](stream.write(1))
        assert(used(tiers) == this.lengths(tiers))
        tiers.file("f").delete()
        assert(used(tiers).forall(_ == 0) && tiers.all.flatMap(filesIn).isEmpty)
      }
    }
  }

  private val names = Gen.oneOf("a", "b", "c")
  private val steps: Gen[Step] = Gen.oneOf(
    for (name <- names; length <- Gen.choose(0, 900); keep <- Gen.option(Gen.choose(0, 900)))
      yield Write(name, length, keep),
    names.map(Delete),
    names.map(MoveAway)
  )

  test("what is taken in a tier is what is in it, after whatever was done") {
    forAll(Gen.listOf(steps)) { all =>
      TemporaryTiers(Size(1000), Size(device = 1500), Size()) { (tiers, _) =>
        for (step <- all) {
          step match {
            case Write(name, length, keep) =>
              tiers.file(name).delete()
              val stream = new TierStream(tiers.file(name), tiers)
              stream.write(bytes(length, 0))
              keep.fold(stream.close())(stream.truncate(_))
              val left = keep.fold(length)(math.min(length, _))
              assert(content(tiers.file(name)).toSeq == bytes(length, 0).take(left).toSeq)
            case Delete(name) => tiers.file(name).delete()
            case MoveAway(name) => // as Spark's shuffle writer does, by path
              val file = tiers.file(name)
              if (file.exists()) Files.delete(file.toPath)
              assert(!file.exists())
          }
          assert(used(tiers) == lengths(tiers))
        }
      }
    }
  }

  test("buffers are written wholly, and their positions follow") {
    TemporaryTiers(Size(1000), Size()) { (tiers, _) =>
      val file = tiers.file("f")
      val stream = new TierStream(file, tiers)
      for (i <- 0 to 2) {
        val buffer = ByteBuffer.wrap(bytes(800, i), 100, 600)
        assert(stream.write(buffer) == 600)
        assert(!buffer.hasRemaining)
      }
      stream.close()
      assert(content(file).toSeq == (0 to 2).flatMap(bytes(800, _).slice(100, 700)))
      assert(used(tiers) == Seq(0, 1800))
      assert(tiers.all.head.overflows == 1)
    }
  }

  test("a tier that refused is passed over, which is said once, and tried again after a while") {
    var seconds = 0L
    TemporaryTiers.at(() => seconds * 1000000000L)(Size(device = 10), Size()) { (tiers, warnings) =>
      def write(name: String): Tier = {
        val stream = new TierStream(tiers.file(name), tiers)
        stream.write(bytes(11, 0))
        stream.close()
        tiers.file(name).tier.get
      }
      assert(write("a") == tiers.all.last)
      assert(write("b") == tiers.all.last)
      assert(tiers.all.head.failures == 1)
      assert(warnings.all.count(_.contains("passed over for 30 s: No space left")) == 1)
      seconds += 31
      assert(write("c") == tiers.all.last)
      assert(tiers.all.head.failures == 2)
    }
  }

  test("when all fail, each is named with its reason, and where to see a quota") {
    TemporaryTiers(Size(device = 10), Size(capacity = 20)) { (tiers, _) =>
      val stream = new TierStream(tiers.file("temp_local_1"), tiers)
      val message = intercept[NoRoom](stream.write(bytes(21, 0))).getMessage
      assert(message.startsWith("No scratch tier takes 21 bytes of temp_local_1. "))
      assert(message.contains(s"${tiers.all.head}: No space left on device; "))
      assert(message.contains(s"${tiers.all.last}: 0 of 20 bytes used. "))
      assert(message.contains("spark.hpc.scratch.tiers") && message.contains("'quota -ugs'"))
      assert(!message.contains("\n"))
    }
  }

  test("a tier that can't say where a file would be is left for the next, and keeps no bytes") {
    TemporaryTiers(Size()) { (sound, _) =>
      val dead = new Tier("local", "xfs", FileSystemKind.Local, new File("/dead"), 100, None)(_ =>
        throw new IOException("Transport endpoint is not connected")
      )
      val tiers = new Tiers(dead +: sound.all, dead, _ => ())
      val file = tiers.newFile("f")
      val stream = new TierStream(file, tiers)
      stream.write(bytes(20, 0))
      stream.close()
      assert(content(file).toSeq == bytes(20, 0).toSeq)
      assert(dead.used == 0 && dead.failures == 1)
    }
  }

  test("the start of a file that is gone can't be read: that fails, and no tier is blamed") {
    TemporaryTiers(Size(100), Size()) { (tiers, _) =>
      val file = tiers.file("f")
      val stream = new TierStream(file, tiers)
      stream.write(bytes(60, 0))
      Files.delete(file.toPath)
      val failure = intercept[IOException](stream.write(bytes(60, 1)))
      assert(failure.getMessage.contains("the bytes written so far can't be read"))
      assert(tiers.all.forall(_.failures == 0))
      assert(used(tiers).forall(_ == 0))
    }
  }

  test("a file that nobody counts is at home, and answers as a plain one") {
    TemporaryTiers(Size(), Size()) { (tiers, _) =>
      val home = new File(tiers.all.last.directory, "f")
      val file = tiers.file("f")
      assert(!file.exists() && file.length() == 0)
      Files.write(home.toPath, bytes(7, 0))
      assert(file.exists() && file.isFile && file.length() == 7 && file.getPath == home.getPath)
      assert(file == home && file.toPath == home.toPath && file.getParentFile == home.getParentFile)
      val renamed = new File(home.getParentFile, "g")
      assert(file.renameTo(renamed) && renamed.exists() && !file.exists())
      assert(used(tiers) == Seq(0, 0) && tiers.awayFromHome.isEmpty)
      assert(renamed.renameTo(file) && home.exists() && file.delete() && !file.delete())
    }
  }

  test(
    "when room is made, what was refused goes on where it was, without the part that was written"
  ) {
    TemporaryTiers(Size(device = 1000)) { (tiers, _) =>
      val file = tiers.file("f")
      var given = Seq.empty[Long]
      val stream = new TierStream(
        file,
        tiers,
        giveRoom = bytes => {
          given :+= bytes
          tiers.all.foreach { case tier: TemporaryTiers.Directory => tier.empty() }
          given.size < 3
        }
      )
      for (i <- 0 to 3) stream.write(bytes(400, i))
      stream.close()
      assert(given == Seq(1200L))
      assert(content(file).toSeq == (0 to 3).flatMap(bytes(400, _)))
      assert(used(tiers) == Seq(1600) && lengths(tiers) == Seq(1600))
    }
  }

  test("a tier that may not be used isn't") {
    TemporaryTiers(Size(10), Size(), Size()) { (tiers, _) =>
      val Seq(first, second, last) = tiers.all
      val stream = new TierStream(tiers.file("f"), tiers, _ != second)
      stream.write(bytes(11, 0))
      stream.close()
      assert(Seq(first, second, last).map(filesIn(_).size) == Seq(0, 0, 1))
      intercept[NoRoom](new TierStream(tiers.file("g"), tiers, _ == first).write(bytes(11, 0)))
    }
  }

  test("what a tier says when a file is closed counts: no byte is lost in silence") {
    TemporaryTiers(Size(refusesAtClose = true), Size()) { (tiers, warnings) =>
      val lossy = tiers.all.head
      val stream = new TierStream(tiers.file("temp_local_1"), tiers)
      stream.write(bytes(60, 0))
      val message = intercept[IOException](stream.close()).getMessage
      assert(
        message.startsWith(s"Scratch tier $lossy lost temp_local_1 as it was closed: Input/out")
      )
      assert(!message.contains("\n"))
      stream.close()
      intercept[IOException](stream.write(1))
      assert(lossy.failures == 1 && warnings.all.size == 1)
      assert(used(tiers) == Seq(0, 0) && tiers.all.flatMap(filesIn).isEmpty)
      // Whoever tries again writes elsewhere.
      val again = new TierStream(tiers.file("temp_local_2"), tiers)
      again.write(bytes(60, 1))
      again.close()
      assert(content(tiers.file("temp_local_2")).toSeq == bytes(60, 1).toSeq)
    }
  }

  test("a cut that doesn't reach the file is no cut, either") {
    TemporaryTiers(Size(refusesAtClose = true), Size()) { (tiers, _) =>
      val stream = new TierStream(tiers.file("f"), tiers)
      stream.write(bytes(60, 0))
      intercept[IOException](stream.truncate(30))
      assert(used(tiers) == Seq(0, 0) && tiers.all.flatMap(filesIn).isEmpty)
    }
  }

  test("a file that left a tier doesn't mind what that one says when it is closed") {
    TemporaryTiers(Size(capacity = 100, refusesAtClose = true), Size()) { (tiers, _) =>
      val stream = new TierStream(tiers.file("f"), tiers)
      for (i <- 0 to 1) stream.write(bytes(60, i))
      stream.close()
      assert(content(tiers.file("f")).toSeq == bytes(60, 0).toSeq ++ bytes(60, 1))
    }
  }

  test("files begin in the next tier while one is slow; those that are there stay") {
    var nanos = 0L
    TemporaryTiers.at(() => nanos)(Size(), Size()) { (tiers, warnings) =>
      val Seq(slow, quick) = tiers.all
      def tierOf(name: String): Tier = tiers.file(name).tier.get
      val there = new TierStream(tiers.file("there"), tiers)
      there.write(bytes(10, 0))
      for (_ <- 1 to Pace.Window) {
        slow.pace.wrote(1, 20000000)
        quick.pace.wrote(1, 4000000)
      }
      val begun = new TierStream(tiers.file("begun"), tiers)
      begun.write(bytes(10, 1))
      there.write(bytes(10, 2))
      assert(tierOf("begun") == quick && tierOf("there") == slow)
      val warning = "while it is slow: it takes 20000 us for a write of up to 64 KiB"
      assert(warnings.all.count(_.contains(warning)) == 1 && slow.overflows == 0)
      nanos += 30000000000L
      val later = new TierStream(tiers.file("later"), tiers)
      later.write(bytes(10, 3))
      assert(tierOf("later") == slow && warnings.all.size == 1)
      Seq(there, begun, later).foreach(_.close())
    }
  }

  test("a slow tier is used when the others have no room") {
    TemporaryTiers(Size(), Size(capacity = 5)) { (tiers, _) =>
      for (_ <- 1 to Pace.Window) {
        tiers.all.head.pace.wrote(1, 20000000)
        tiers.all.last.pace.wrote(1, 1)
      }
      val stream = new TierStream(tiers.file("f"), tiers)
      stream.write(bytes(10, 0))
      stream.close()
      assert(tiers.file("f").tier.contains(tiers.all.head))
    }
  }

  test("what others have in a tier counts, and gives room when it is gone") {
    var nanos = 0L
    val folder = Files.createTempDirectory("others")
    try {
      val others = folder.resolve("shuffle_1")
      Files.write(others, bytes(70, 0))
      val uncounted =
        new UncountedBytes(Seq(folder.toFile), _ => false, _.run(), () => nanos)
      TemporaryTiers(Size(capacity = 100, others = Some(uncounted))) { (tiers, _) =>
        def write(name: String, length: Int): Unit = {
          val stream = new TierStream(tiers.file(name), tiers)
          try stream.write(bytes(length, 0))
          finally stream.close()
        }
        write("a", 30)
        val message = intercept[NoRoom](write("b", 1)).getMessage
        assert(message.contains("30 of 100 bytes used, 70 by others"))
        assert(!tiers.all.head.hasRoom)
        Files.delete(others)
        nanos += 1000000000L
        write("b", 70)
        assert(used(tiers) == Seq(100))
      }
    } finally FileUtils.deleteDirectory(folder.toFile)
  }

  test("operations are counted by kind") {
    TemporaryTiers(Size(20), Size()) { (tiers, _) =>
      val stream = new TierStream(tiers.file("f"), tiers)
      for (i <- 0 to 4) stream.write(bytes(10, i))
      stream.close()
      tiers.file("f").delete()
      def counts(tier: Tier): Map[String, Long] =
        tier.operations.all.map { case (kind, timer) => kind -> timer.getCount }.toMap
      val none = Map("open" -> 0L, "read" -> 0L)
      // The third write went on in the second tier; what is left behind isn't counted as a delete.
      assert(counts(tiers.all.head) == none ++ Map("create" -> 1L, "write" -> 2L, "delete" -> 0L))
      assert(counts(tiers.all.last) == none ++ Map("create" -> 1L, "write" -> 3L, "delete" -> 1L))
    }
  }
}

private object TierStreamSuite {
  sealed trait Step
  final case class Write(name: String, length: Int, keep: Option[Int]) extends Step
  final case class Delete(name: String) extends Step
  final case class MoveAway(name: String) extends Step
}
