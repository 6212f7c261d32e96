package org.sparkhpc.e2e

import java.nio.file.Files

import scala.concurrent.duration._

import org.scalatest.funsuite.AnyFunSuite

/** Cached blocks are spilled to a shared file system, and that stands still. */
class SlowScratchSuite extends AnyFunSuite with Scratch {

  test("a stall of the shared scratch costs no executor, and holds up no job that doesn't use it") {
    Closing(new Pfs(directory("pfs"))) { pfs =>
      val signals = directory("signals")
      val submit = Submit(
        Dist.patched.placedIn(scratch.resolve("dist")),
        "local-cluster[1,8,512]",
        "Innocent",
        Seq(
          // 4 MB for blocks on the executor, and more than enough on the driver.
          "spark.executor.memory" -> "512m",
          "spark.memory.fraction" -> "0.02",
          // The first heartbeat, which has more to do than others, comes in the stall.
          "spark.executor.heartbeatInterval" -> "10s",
          "spark.network.timeout" -> "25s",
          "spark.network.timeoutInterval" -> "5s"
        ),
        Seq(signals.toString),
        Seq("--driver-memory", "2g")
      )
      val run = Started(submit.command, scratch, Map("SPARK_LOCAL_DIRS" -> pfs.mount))
      def await(line: String): Unit = Patience.until(line, 180.seconds) {
        assert(run.isAlive, run.said)
        Some(()).filter(_ => run.said.contains(line))
      }(run.said)
      try {
        await("caching=")
        pfs.stall(45)
        val probe = Started(Seq("stat", s"${pfs.mount}/nothing"), scratch)
        Files.createFile(signals.resolve("stalled"))
        await("innocent=5 499500")
        await("lost=0")
        assert(probe.isAlive, "the stall was over too early")
        Files.createFile(signals.resolve("enough"))
        await("wrong=0")
        Patience.until("its end", 60.seconds)(Some(()).filter(_ => !run.isAlive))(run.said)
      } finally run.kill()
      val logs = Run.read(
        Files.walk(scratch.resolve("dist/work")).filter(_.endsWith("stderr")).findFirst().get
      )
      assert(logs.contains(s"are written to ${pfs.mount}") && logs.contains("(shared)"), logs)
    }
  }
}
