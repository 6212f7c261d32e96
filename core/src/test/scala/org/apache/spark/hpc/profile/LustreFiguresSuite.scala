package org.apache.spark.hpc.profile

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.util.Utils

/** With files that have the form of Lustre's, since no Lustre is at hand. */
class LustreFiguresSuite extends AnyFunSuite {

  private def withClient(test: Path => Unit): Unit = {
    val place = Utils.createTempDir().toPath
    try test(place)
    finally Utils.deleteRecursively(place.toFile)
  }

  private def write(place: Path, mount: String, lines: String*): Unit = {
    val directory = Files.createDirectories(place.resolve(mount))
    Files.write(
      directory.resolve("stats"),
      ("snapshot_time             1612345678.817348638 secs.nsecs" +: lines).mkString("\n").getBytes
    ): Unit
  }

  test("calls are counted since the executor began, over all mounts") {
    withClient { place =>
      write(
        place,
        "scratch-ffff8",
        "read_bytes                100 samples [bytes] 1 1048576 5000",
        "open                      40 samples [regs]"
      )
      val figures = new LustreFigures(Seq(place, place.resolve("missing")))
      assert(figures.now().isEmpty)
      write(
        place,
        "scratch-ffff8",
        "read_bytes                130 samples [bytes] 1 1048576 9000 81000000",
        "open                      45 samples [usecs] 100 2000 5000 70000",
        "not a line of these"
      )
      write(place, "home-ffff9", "open                      2 samples [regs]")
      assert(
        figures.now() == Map(
          "lustre.read_bytes" -> 30.0,
          "lustre.read_bytes.sum" -> 4000.0,
          "lustre.open" -> 7.0,
          "lustre.open.sum" -> 5000.0
        )
      )
    }
  }

  test("statistics that were cleared, or can't be read, give no figures") {
    withClient { place =>
      write(place, "scratch", "open                      45 samples [regs]")
      val figures = new LustreFigures(Seq(place))
      write(place, "scratch", "open                      1 samples [regs]")
      assert(figures.now().isEmpty)
      Files.delete(place.resolve("scratch/stats"))
      Files.createDirectory(place.resolve("scratch/stats"))
      assert(figures.now().isEmpty)
    }
  }
}
