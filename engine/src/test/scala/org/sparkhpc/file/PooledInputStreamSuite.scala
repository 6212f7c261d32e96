package org.sparkhpc.file

import java.io.IOException
import java.nio.file.{Files, NoSuchFileException}
import java.util.concurrent.TimeUnit

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class PooledInputStreamSuite extends AnyFunSuite with NumberedFiles with ScalaCheckPropertyChecks {
  import NumberedFiles.byte
  import PooledInputStreamSuite._

  private def withStream[A](bytes: Int, ahead: Int)(
      test: (PooledInputStream, FilePool) => A
  ): A = inFolder { folder =>
    val pool = new FilePool(2, IdleOrder.Lifo, TimeUnit.MINUTES.toNanos(1))
    val stream = new PooledInputStream(pool, write(folder, 0, bytes), ahead)
    try test(stream, pool)
    finally {
      stream.close()
      pool.close()
    }
  }

  /** Does it and gives the position afterwards; fails unless what was read is what stands there. */
  private def after(op: Op, stream: PooledInputStream, from: Long, size: Int): Long = op match {
    case ReadByte =>
      val got = stream.read()
      if (from >= size) {
        assert(got == -1)
        from
      } else {
        assert(got == (byte(0, from.toInt) & 0xff))
        from + 1
      }
    case ReadBytes(count) =>
      val bytes = new Array[Byte](count + 2)
      val got = stream.read(bytes, 1, count)
      if (count > 0 && from >= size) {
        assert(got == -1)
        from
      } else {
        assert(got <= count && (got > 0 || count == 0))
        assert((0 until got).forall(i => bytes(1 + i) == byte(0, (from + i).toInt)))
        assert(bytes(0) == 0 && bytes.drop(1 + got).forall(_ == 0))
        from + got
      }
    case Skip(asked) =>
      val count = math.max(asked, -from)
      assert(stream.skip(count) == count)
      from + count
    case Position(to) =>
      stream.getChannel.position(to)
      to
    case Interrupt(op) =>
      Thread.currentThread.interrupt()
      try after(op, stream, from, size)
      finally assert(Thread.interrupted())
  }

  test("it reads what a FileInputStream would, from wherever, interrupted or not") {
    forAll(Gen.choose(0, 300), Gen.choose(1, 64), Gen.listOf(operations)) { (size, ahead, ops) =>
      withStream(size, ahead) { (stream, _) =>
        var position = 0L
        for (op <- ops) {
          position = after(op, stream, position, size)
          assert(stream.getChannel.position() == position)
          assert(stream.available() <= math.max(0L, size - position))
        }
      }
    }
  }

  test("small reads are few requests, and large ones aren't copied") {
    withStream(100000, ahead = 10000) { (stream, pool) =>
      for (_ <- 1 to 90000) stream.read()
      assert(pool.counts.opens == 1 && pool.counts.hits == 8)
      assert(stream.read(new Array[Byte](10000)) == 10000)
      assert(pool.counts.hits == 9 && stream.available() == 0)
    }
  }

  test("a step back after a large read finds nothing of what was read ahead before it") {
    withStream(1000, ahead = 10) { (stream, _) =>
      assert(stream.read() == 0 && stream.read(new Array[Byte](9)) == 9)
      assert(stream.read(new Array[Byte](20)) == 20)
      stream.getChannel.position(25)
      assert(stream.read() == (byte(0, 25) & 0xff))
    }
  }

  test("streams of one file share its descriptor, and closing one closes no file") {
    withStream(1000, ahead = 10) { (first, pool) =>
      assert(first.read() == 0)
      first.close()
      for (failing <- Seq[() => Any](() => first.read(), () => first.available()))
        assert(intercept[IOException](failing()).getMessage.endsWith("the stream is closed"))
      assert(pool.counts.openNow == 1)
    }
  }

  test("a file that isn't there fails the first read") {
    inFolder { folder =>
      val pool = new FilePool(2, IdleOrder.Lifo, 1)
      val stream = new PooledInputStream(pool, folder.resolve("gone").toString, 10)
      intercept[NoSuchFileException](stream.read())
      Files.write(folder.resolve("gone"), Array[Byte](7))
      assert(stream.read() == 7 && stream.read() == -1)
      pool.close()
    }
  }

  test("an end before the bytes that the file had is an error, behind the bytes that are there") {
    inFolder { folder =>
      val pool = new FilePool(2, IdleOrder.Lifo, TimeUnit.MINUTES.toNanos(1))
      val path = write(folder, 0, 25)
      for (ahead <- Seq(4, 100)) {
        val whole = new PooledInputStream(pool, path, ahead, least = 25)
        assert(Iterator.continually(whole.read()).takeWhile(_ >= 0).size == 25)
        val cut = new PooledInputStream(pool, path, ahead, least = 26)
        for (_ <- 1 to 25) assert(cut.read() >= 0)
        val failure = intercept[IOException](cut.read())
        assert(failure.getMessage == s"$path ends after 25 bytes, and had 26 when it was written")
      }
      pool.close()
    }
  }

  test("its channel refuses whatever isn't a position") {
    withStream(10, ahead = 10) { (stream, _) =>
      intercept[UnsupportedOperationException](stream.getChannel.size())
      assert(intercept[IOException](stream.getChannel.position(-1)).getMessage.contains("-1"))
    }
  }
}

object PooledInputStreamSuite {
  sealed trait Op
  case object ReadByte extends Op
  final case class ReadBytes(count: Int) extends Op
  final case class Skip(count: Long) extends Op
  final case class Position(to: Long) extends Op
  final case class Interrupt(op: Op) extends Op

  private val plain: Gen[Op] = Gen.frequency(
    3 -> Gen.const(ReadByte),
    6 -> Gen.choose(0, 100).map(ReadBytes),
    3 -> Gen.choose(-30L, 30L).map(Skip),
    2 -> Gen.choose(0L, 320L).map(Position)
  )

  val operations: Gen[Op] = Gen.frequency(5 -> plain, 1 -> plain.map(Interrupt))
}
