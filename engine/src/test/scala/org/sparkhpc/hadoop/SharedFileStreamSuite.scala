package org.sparkhpc.hadoop

import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.file.Files
import java.nio.file.StandardOpenOption.APPEND

import scala.util.{Random, Try}

import org.apache.hadoop.fs.{FSDataInputStream, Path}
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import org.sparkhpc.file.{RefusingChannel, SharedFiles}

class SharedFileStreamSuite
    extends AnyFunSuite
    with LocalFileSystems
    with ScalaCheckPropertyChecks {

  /** Something that a program does with a stream; the same for all streams. */
  private type Step = FSDataInputStream => Any

  private def filled(count: Int)(read: Array[Byte] => Int): (Int, Seq[Byte]) = {
    val bytes = new Array[Byte](count)
    val some = read(bytes)
    (some, bytes.toSeq)
  }

  /** Reads until the array is full or the file ends: how much one read gives is the stream's choice. */
  private def readAll(in: FSDataInputStream, bytes: Array[Byte]): Int = {
    var at = 0
    var some = 0
    while (at < bytes.length && some >= 0) {
      some = in.read(bytes, at, bytes.length - at)
      if (some > 0) at += some
    }
    at
  }

  private def steps(size: Int): Gen[List[Step]] = {
    val offset = Gen.choose(0, size + 10)
    val count = Gen.oneOf(Gen.choose(1, 100), Gen.choose(1, math.max(1, size)))
    val step: Gen[Step] = Gen.oneOf(
      offset.map(at => (in: FSDataInputStream) => Try(in.seek(at)).isSuccess && at <= size),
      count.map(count => (in: FSDataInputStream) => filled(count)(readAll(in, _))),
      Gen.const((in: FSDataInputStream) => in.read()),
      for (at <- offset; count <- count)
        yield (in: FSDataInputStream) =>
          Try(filled(count) { bytes =>
            in.readFully(at.toLong, bytes)
            count
          }).toOption,
      Gen.const((in: FSDataInputStream) => in.getPos)
    )
    Gen.listOfN(30, step)
  }

  test("any steps read what Hadoop's raw local file system reads") {
    val sizes = Gen.oneOf(0, 1, 1000, 1 << 20, (1 << 20) + 1, 3500000)
    val cases = for (size <- sizes; steps <- steps(size)) yield (size, steps)
    inFolder { folder =>
      val own = shared(new SharedFiles(10))
      val raw = stock.getRawFileSystem
      forAll(cases, minSuccessful(60)) { case (size, steps) =>
        val path = new Path(folder, size.toString)
        if (!Files.exists(onDisk(path))) {
          val bytes = new Array[Byte](size)
          new Random(size).nextBytes(bytes)
          Files.write(onDisk(path), bytes)
        }
        val (ours, theirs) = (own.open(path, 4096), raw.open(path, 4096))
        try for (step <- steps) assert(step(ours) == step(theirs))
        finally Seq(ours, theirs).foreach(_.close())
      }
    }
  }

  test("a small file takes one read; a large one few, larger and larger ones in sequence") {
    inFolder { folder =>
      var requests = List.empty[(Long, Int)]
      def counted(path: java.nio.file.Path): FileChannel = {
        val file = FileChannel.open(path)
        new RefusingChannel {
          override def read(to: ByteBuffer, at: Long): Int = {
            val count = file.read(to, at)
            requests :+= ((at, count))
            count
          }
          override protected def implCloseChannel(): Unit = file.close()
        }
      }
      val own = shared(new SharedFiles(10, counted))
      def reads(size: Int)(use: FSDataInputStream => Unit): Seq[(Long, Int)] = {
        val path = new Path(folder, size.toString)
        Files.write(onDisk(path), new Array[Byte](size))
        requests = Nil
        val in = own.open(path, 65536)
        try use(in)
        finally in.close()
        requests
      }
      val whole: FSDataInputStream => Unit = in => while (in.read(new Array[Byte](100)) >= 0) {}
      // The last read finds the end of the file.
      assert(reads(1000000)(whole) == Seq((0, 1000000), (1000000, -1)))
      val inSequence = reads(4 << 20)(whole)
      val sizes = Seq(64, 64, 128, 256, 512, 1024, 1024, 1024).map(_ << 10)
      assert(inSequence.map(_._2) == sizes :+ -1)
      assert(inSequence.forall { case (at, count) => at % math.max(1, count) == 0 })
      assert(reads(900000) { in =>
        for (at <- Seq(800000L, 10L, 500000L)) in.readFully(at, new Array[Byte](1000))
      } == Seq((0, 900000)))
      assert(reads(9000000)(_.readFully(100, new Array[Byte](3000000))).map(_._1) ==
        Seq(100, 100 + (1 << 20), 100 + (2 << 20)))
    }
  }

  test("a file that grows is read to its new end; of one that was cut off, what is left") {
    inFolder { folder =>
      val own = shared(new SharedFiles(10))
      for (size <- Seq(10, 2 << 20)) {
        val path = new Path(folder, size.toString)
        Files.write(onDisk(path), new Array[Byte](size))
        val in = own.open(path, 4096)
        assert(readAll(in, new Array[Byte](size)) == size && in.read() == -1)
        Files.write(onDisk(path), "more".getBytes, APPEND)
        assert(filled(4)(readAll(in, _)) == ((4, "more".getBytes.toSeq)))
        in.close()
        val cut = own.open(path, 4096)
        own.getRawFileSystem.truncate(path, 5)
        assert(readAll(cut, new Array[Byte](size)) == 5 && cut.read() == -1)
        cut.close()
      }
    }
  }

  test("a closed stream can't be read, and closes its file once") {
    inFolder { folder =>
      val files = new SharedFiles(0)
      val own = shared(files)
      val path = new Path(folder, "file")
      write(own, path, "text")
      val in = own.open(path, 4096)
      for (_ <- 1 to 2) in.close()
      assert(files.counts.openNow == 0)
      for (use <- Seq[Step](_.read(), _.seek(0), _.available(), _.readFully(0, new Array[Byte](1))))
        assertThrows[java.io.IOException](use(in))
    }
  }
}
