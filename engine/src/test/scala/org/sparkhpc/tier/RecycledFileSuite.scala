package org.sparkhpc.tier

import java.io.{File, IOException, RandomAccessFile}
import java.nio.ByteBuffer
import java.nio.file.Files
import java.util.concurrent.ConcurrentLinkedQueue

import scala.collection.JavaConverters._
import scala.util.Random

import org.apache.commons.io.FileUtils
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import org.sparkhpc.request.{RequestKind, Requests}

/** Spills that are written, one after the other, to the same files. */
class RecycledFileSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  import ChunkSums.Chunk
  import RecycledFileSuite._

  private def withSpares[A](most: Int, kept: Long)(test: (SpareFiles, File) => A): A = {
    val directory = Files.createTempDirectory("spares").toFile
    val spares = new SpareFiles(directory, most, kept)
    try test(spares, directory)
    finally {
      spares.clear()
      FileUtils.deleteDirectory(directory)
    }
  }

  private def random(length: Int, seed: Int): Array[Byte] = {
    val bytes = new Array[Byte](length)
    new Random(seed).nextBytes(bytes)
    bytes
  }

  private def written(spares: SpareFiles, bytes: Array[Byte]): RecycledFile = {
    val file = spares.take().get
    file.write(bytes, 0, bytes.length)
    file.close()
    file
  }

  /** @param buffer how much is read at once */
  private def content(file: RecycledFile, from: Int = 0, buffer: Int = Chunk): Array[Byte] = {
    val bytes = ByteBuffer.allocate(file.length.toInt - from)
    var isMore = true
    while (isMore) {
      val piece = ByteBuffer.allocate(buffer)
      val count = file.read(piece, from + bytes.position().toLong)
      isMore = count > 0
      if (isMore) bytes.put(piece.array, 0, count)
    }
    assert(!bytes.hasRemaining)
    bytes.array
  }

  test("a file is opened for the first spill only, and each read of it is a request") {
    val all = new ConcurrentLinkedQueue[RequestKind]
    val watcher = new Requests.Watcher {
      override def made(kind: RequestKind, nanos: Long): Unit = all.add(kind): Unit
      override def began(kind: RequestKind): Unit = ()
    }
    withSpares(1, 1 << 20) { (spares, _) =>
      Requests.on(watcher) {
        for (_ <- 1 to 2) {
          val file = written(spares, random(2 * Chunk, 1))
          content(file)
          file.delete()
        }
      }
      assert(spares.recycled == 1)
    }
    assert(all.asScala.toSeq == Seq(RequestKind.Open) ++ Seq.fill(4)(RequestKind.Read))
  }

  private val length = Gen.frequency(3 -> Gen.choose(0, 900), 1 -> Gen.choose(0, 3 * Chunk))
  private val uses = for {
    pieces <- Gen.listOf(length)
    kept <- Gen.option(Gen.choose(0.0, 1.0))
    more <- length
    from <- Gen.choose(0.0, 1.0)
    ahead <- Gen.oneOf(1000, Chunk, 3 * Chunk)
    isOpened <- Gen.frequency(3 -> false, 1 -> true)
    isClosed <- Gen.oneOf(true, false)
  } yield Use(pieces, kept, more, from, ahead, isOpened, isClosed)

  test("a spill holds what was written to it, whatever its file held before") {
    forAll(Gen.listOf(uses)) { all =>
      withSpares(2, Long.MaxValue) { (spares, directory) =>
        val another = written(spares, random(2 * Chunk, -1))
        for ((use, seed) <- all.zipWithIndex) {
          val file = spares.take().get
          var expected = Array.empty[Byte]
          for ((length, i) <- use.pieces.zipWithIndex) {
            val piece = random(length, seed + i)
            file.write(ByteBuffer.wrap(piece))
            expected ++= piece
          }
          for (part <- use.kept) {
            expected = expected.take((expected.length * part).toInt)
            file.truncate(expected.length.toLong)
            val more = random(use.more, -seed)
            file.write(more, 0, more.length)
            expected ++= more
          }
          if (use.isClosed) file.close()
          assert(file.length == expected.length)
          val from = (expected.length * use.from).toInt
          assert(content(file, from, use.ahead).toSeq == expected.drop(from).toSeq)
          if (use.isOpened) assert(Files.readAllBytes(file.path.toPath).toSeq == expected.toSeq)
          assert(file.delete() && !file.exists && !file.delete())
        }
        assert(content(another).toSeq == random(2 * Chunk, -1).toSeq)
        assert(directory.list.length <= 2)
        assert(spares.recycled == math.max(
          0,
          all.count(!_.isOpened) - (if (all.lastOption.exists(!_.isOpened)) 1 else 0)
        ))
      }
    }
  }

  test("bytes that the file system lost are an error, not an older spill's bytes") {
    withSpares(1, Long.MaxValue) { (spares, directory) =>
      written(spares, random(3 * Chunk, 1)).delete()
      val file = written(spares, random(2 * Chunk + 10, 2))
      val stale = new RandomAccessFile(file.place, "rw")
      stale.seek(Chunk.toLong)
      stale.write(random(3 * Chunk, 1), Chunk, Chunk)
      stale.close()
      val failure = intercept[IOException](content(file))
      assert(failure.getMessage.contains(s"from byte $Chunk on"))
      // Its first chunk can be read, and its file is nobody's any more.
      assert(file.read(ByteBuffer.allocate(10), 0) == 10)
      assert(file.delete() && directory.list.isEmpty)
    }
  }

  test("a file that became shorter is an error") {
    withSpares(1, Long.MaxValue) { (spares, _) =>
      val file = written(spares, random(100, 1))
      FileUtils.write(file.place, "", "UTF-8")
      intercept[IOException](content(file))
    }
  }

  test("what is refused in the middle of a spill leaves what was written before to be read") {
    withSpares(1, Long.MaxValue) { (spares, directory) =>
      val file = spares.take().get
      val before = random(2 * Chunk - 40, 1)
      file.write(before, 0, before.length)
      file.spare.open.close() // as a device that takes no more
      intercept[IOException](file.write(random(100, 2), 0, 100))
      val bytes = ByteBuffer.allocate(Chunk)
      assert(file.read(bytes, Chunk.toLong) == Chunk)
      assert(bytes.array.take(Chunk - 40).toSeq == before.drop(Chunk).toSeq)
      file.truncate(before.length.toLong)
      assert(file.length == before.length)
      assert(file.delete() && directory.list.isEmpty)
    }
  }

  test("a deleted spill can't be read or written, although its file is another's") {
    withSpares(1, Long.MaxValue) { (spares, _) =>
      val file = written(spares, random(100, 1))
      file.delete()
      val next = written(spares, random(100, 2))
      assert(next.place == file.place)
      intercept[IOException](file.read(ByteBuffer.allocate(10), 0))
      intercept[IOException](file.write(Array[Byte](1), 0, 1))
      assert(!file.exists && file.length == 0)
      assert(content(next).toSeq == random(100, 2).toSeq)
    }
  }

  test("whoever asks where it is finds its bytes there, may move it, and leaves it to nobody") {
    withSpares(2, Long.MaxValue) { (spares, directory) =>
      written(spares, random(500, 1)).delete()
      val opened = spares.take().get
      opened.write(random(100, 2), 0, 100)
      assert(opened.place.length == 500 && opened.path.length == 100)
      opened.write(random(50, 3), 0, 50)
      opened.close()
      assert(opened.path.length == 150)
      val moved = new File(directory, "moved")
      assert(opened.renameTo(moved) && !opened.exists)
      assert(FileUtils.readFileToByteArray(moved).toSeq == (random(100, 2) ++ random(50, 3)).toSeq)
      val away = written(spares, random(10, 4))
      Files.delete(away.path.toPath)
      assert(!away.exists && !away.delete())
      assert(directory.list.toSeq == Seq("moved"))
    }
  }

  test("there are no more than there may be, and those that are left keep few bytes") {
    withSpares(2, 1000) { (spares, directory) =>
      val small = written(spares, random(600, 1))
      val large = written(spares, random(601, 2))
      assert(spares.take().isEmpty)
      small.delete()
      large.delete()
      assert(directory.list.length == 1)
      val again = written(spares, random(1, 3))
      assert(again.place == small.place && spares.recycled == 1)
      val other = written(spares, random(400, 4))
      again.delete()
      other.delete()
      assert(directory.list.length == 2)
      spares.clear()
      assert(directory.list.isEmpty && spares.take().nonEmpty)
    }
  }

  test("a tier that refuses the last bytes of a spill, which were in memory, loses none of it") {
    TemporaryTiers(TemporaryTiers.Size(kept = Some(1L << 20)), TemporaryTiers.Size()) {
      (tiers, _) =>
        val file = tiers.newFile("a", ScratchUse.Spill)
        val stream = new TierStream(file, tiers)
        stream.write(random(100, 1))
        file.recycled.get.spare.open.close() // as a device that takes no more
        stream.close()
        assert(file.tier.contains(tiers.all.last) && tiers.all.head.failures == 1)
        assert(Files.readAllBytes(file.toPath).toSeq == random(100, 1).toSeq)
        assert(tiers.all.map(_.used) == Seq(0, 100) && tiers.all.head.directory.list.isEmpty)
    }
  }

  test(
    "a tier that refuses a spill's bytes gives up what it kept, and the spill goes on elsewhere"
  ) {
    TemporaryTiers(TemporaryTiers.Size(kept = Some(1L << 20)), TemporaryTiers.Size()) {
      (tiers, _) =>
        val first = tiers.all.head
        def spill(name: String): (ScratchFile, TierStream) = {
          val file = tiers.newFile(name, ScratchUse.Spill)
          val stream = new TierStream(file, tiers)
          stream.write(random(100, name.hashCode))
          (file, stream)
        }
        val (kept, _) = spill("a")
        val (file, stream) = spill("b")
        kept.delete()
        assert(first.directory.list.length == 2 && first.used == 100)
        first.refuse("No space left on device")
        assert(first.directory.list.length == 1)
        stream.write(random(100, 7))
        stream.close()
        assert(file.recycled.isEmpty && first.directory.list.isEmpty)
        val expected = random(100, "b".hashCode) ++ random(100, 7)
        assert(Files.readAllBytes(file.toPath).toSeq == expected.toSeq)
    }
  }
}

object RecycledFileSuite {

  /** @param kept the part of the pieces that isn't truncated before `more` is written
    * @param from the part that isn't read
    */
  final case class Use(
      pieces: Seq[Int],
      kept: Option[Double],
      more: Int,
      from: Double,
      ahead: Int,
      isOpened: Boolean,
      isClosed: Boolean
  )
}
