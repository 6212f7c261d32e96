package org.sparkhpc.probe

import java.io.RandomAccessFile
import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit

import org.apache.commons.io.FileUtils
import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.probe.ProbeRounds._

class ProbeRoundsSuite extends AnyFunSuite {

  /** What the other node sees of the file `from`: a second file, to which a part of it is brought at certain times. */
  private final class Seen(from: Path, to: Path) {
    Files.copy(from, to)

    def bring(begin: Int, end: Int): Unit = {
      val file = new RandomAccessFile(to.toFile, "rw")
      try {
        file.seek(begin.toLong)
        file.write(Files.readAllBytes(from).slice(begin, end))
      } finally file.close()
    }

    def bringAll(): Unit = bring(0, Int.MaxValue)
  }

  /** The outcome if after each round of a node's `show` brings what the other one sees.
    *
    * @param millis that each round takes
    */
  private def outcome(millis: Long = 1)(show: (Int, Seen) => Unit): Outcome = {
    val folder = Files.createTempDirectory("probe")
    val executors = ProbeFile.create(folder.resolve("executors"))
    val drivers = ProbeFile.create(folder.resolve("drivers"))
    val atDriver = new Seen(executors.path, folder.resolve("executors-at-driver"))
    val atExecutor = new Seen(drivers.path, folder.resolve("drivers-at-executor"))
    val read = ProbeFile.open(folder.resolve("executors-at-driver"), executors.words)
    val others = ProbeFile.open(folder.resolve("drivers-at-executor"), drivers.words)
    var rounds = 0
    def exchange(round: Int): Boolean = {
      rounds = round
      show(round, atDriver)
      val isSeen = read.sees(round)
      drivers.write(round)
      show(round, atExecutor)
      isSeen
    }
    try {
      assert(read.sees(0) && others.sees(0))
      val clock = () => TimeUnit.MILLISECONDS.toNanos(millis * rounds)
      new ProbeRounds(executors, others, exchange, clock).run()
    } finally {
      Seq(read, others, executors, drivers).foreach(_.close())
      assert(Files.notExists(executors.path) && Files.notExists(drivers.path))
      FileUtils.deleteDirectory(folder.toFile)
    }
  }

  test("nodes that see all at once see a coherent file system") {
    assert(outcome()((_, seen) => seen.bringAll()) == Seen)
  }

  test("one round that shows late is enough, in either direction") {
    for (late <- 1 to Needed)
      assert(outcome()((round, seen) => if (round < late) seen.bringAll()) == Unseen(late))
    var turn = 0
    // Each second turn is the executor's look at the driver's file.
    val oneWay = outcome() { (_, seen) =>
      turn += 1
      if (turn % 2 == 1) seen.bringAll()
    }
    assert(oneWay == Unseen(1))
  }

  test("new bytes without the new size, or in the old bytes' place only, aren't enough") {
    val line = 64
    assert(outcome()((_, seen) => seen.bring(0, 2 * line)) == Unseen(1))
    assert(outcome()((_, seen) => seen.bring(line, Int.MaxValue)) == Unseen(1))
  }

  test("slow rounds prove nothing good, since a cache may have been written in between, but bad") {
    outcome(millis = LongestMillis + 1)((_, seen) => seen.bringAll()) match {
      case Unclear(why) => assert(why.contains(s"0 of $Most"))
      case other => fail(other.toString)
    }
    assert(outcome(millis = LongestMillis + 1)((_, _) => ()) == Unseen(1))
  }

  test("a slow round at the start is made up for") {
    var isFirst = true
    assert(outcome(millis = LongestMillis)((_, seen) => seen.bringAll()) == Seen)
    val late = outcome() { (_, seen) =>
      if (isFirst) seen.bringAll()
      isFirst = false
    }
    assert(late == Unseen(1))
  }

  test("other words aren't seen") {
    val folder = Files.createTempDirectory("probe")
    val file = ProbeFile.create(folder.resolve("one"))
    try {
      val reader = ProbeFile.open(file.path, "other words")
      try assert(!reader.sees(0))
      finally reader.close()
    } finally {
      file.close()
      FileUtils.deleteDirectory(folder.toFile)
    }
  }
}
