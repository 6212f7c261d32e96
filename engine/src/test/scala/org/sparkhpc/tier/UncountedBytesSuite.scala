package org.sparkhpc.tier

import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit

import org.apache.commons.io.FileUtils
import org.scalatest.funsuite.AnyFunSuite

class UncountedBytesSuite extends AnyFunSuite {

  private class Clock {
    private var nanos = 0L
    def pass(seconds: Long): Unit = nanos += TimeUnit.SECONDS.toNanos(seconds)
    def now: Long = nanos
  }

  private def below(test: (Path, Clock) => Unit): Unit = {
    val folder = Files.createTempDirectory("uncounted")
    try test(folder, new Clock)
    finally FileUtils.deleteDirectory(folder.toFile)
  }

  private def write(file: Path, bytes: Int): Path = {
    Files.createDirectories(file.getParent)
    Files.write(file, new Array[Byte](bytes))
  }

  test("others' files are counted wherever they are, what is in a tier's own count isn't") {
    below { (folder, clock) =>
      val directories = Seq(folder.resolve("a").toFile, folder.resolve("b").toFile)
      val others =
        new UncountedBytes(directories, _.startsWith("ours"), _.run(), () => clock.now)
      write(folder.resolve("a/00/shuffle_1"), 100)
      write(folder.resolve("a/python/1/spill"), 30)
      write(folder.resolve("a/0f/ours_1"), 1000)
      assert(others.bytes == 130) // b isn't there
      write(folder.resolve("b/shuffle_2"), 7)
      assert(others.bytes == 130)
      clock.pass(UncountedBytes.Seconds)
      assert(others.bytes == 137)
    }
  }

  test("one look at a time, and none is waited for") {
    below { (folder, clock) =>
      write(folder.resolve("x"), 5)
      var begun = Seq.empty[Runnable]
      val others =
        new UncountedBytes(Seq(folder.toFile), _ => false, begun :+= _, () => clock.now)
      assert(others.bytes == 0 && others.bytes == 0 && begun.size == 1)
      begun.foreach(_.run())
      assert(others.bytes == 5 && begun.size == 1)
      clock.pass(UncountedBytes.Seconds)
      assert(others.bytes == 5 && begun.size == 2)
    }
  }

  test("who needs room may look at once, a moment after the last look") {
    below { (folder, clock) =>
      val file = write(folder.resolve("x"), 5)
      val others = new UncountedBytes(Seq(folder.toFile), _ => false, _.run(), () => clock.now)
      assert(others.bytes == 5)
      Files.delete(file)
      assert(!others.isLess() && others.bytes == 5)
      clock.pass(1)
      assert(others.isLess() && others.bytes == 0)
      clock.pass(1)
      assert(!others.isLess())
    }
  }
}
