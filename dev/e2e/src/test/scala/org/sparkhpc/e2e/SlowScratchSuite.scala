package org.sparkhpc.e2e

import java.nio.file.{Files, Path, Paths}

import scala.concurrent.duration._
import scala.util.Try

import org.scalatest.funsuite.AnyFunSuite

/** Cached blocks are spilled to a shared file system, and that stands still. */
class SlowScratchSuite extends AnyFunSuite with Scratch {

  /** A program that goes on caching and, when it is told so, runs innocent jobs. */
  private final class Caching(name: String, settings: (String, String)*)(env: (String, String)*)
      extends AutoCloseable {
    private val signals = directory(s"$name-signals")

    private val submit = Submit(
      Dist.patched.placedIn(scratch.resolve(name)),
      "local-cluster[1,8,512]",
      "Innocent",
      Seq(
        // Filling an array takes less than to write it.
        "spark.hpc.retention.spill" -> "always",
        // 4 MB for blocks on the executor, and more than enough on the driver.
        "spark.executor.memory" -> "512m",
        "spark.memory.fraction" -> "0.02",
        // The first heartbeat, which has more to do than others, comes in the stall.
        "spark.executor.heartbeatInterval" -> "10s",
        "spark.network.timeout" -> "25s",
        "spark.network.timeoutInterval" -> "5s"
      ) ++ settings,
      Seq(signals.toString),
      Seq("--driver-memory", "2g")
    )
    private val run = Started(submit.command, scratch, env.toMap)

    def said: String = run.said

    def tell(signal: String): Unit = Files.createFile(signals.resolve(signal)): Unit

    /** Also where it ended once that was said. */
    def await(line: String): Unit = Patience.until(line, 300.seconds) {
      val isOver = !run.isAlive
      val isSaid = run.said.contains(line)
      assert(isSaid || !isOver, run.said)
      Some(()).filter(_ => isSaid)
    }(run.said)

    def awaitEnd(): Unit =
      Patience.until("its end", 300.seconds)(Some(()).filter(_ => !run.isAlive))(run.said)

    /** As a worker, Slurm or Kubernetes do it. */
    def terminateExecutor(): Unit = run.terminateChildren()

    /** Of the executors. */
    def log: String = {
      val work = scratch.resolve(name).resolve("work")
      FilesBelow(work).filter(_.endsWith("stderr")).map(Run.read).mkString("\n")
    }

    override def close(): Unit = run.kill()
  }

  test(
    "a stall of the shared scratch costs no executor, and holds up neither a job that doesn't use it " +
      "nor the return of node memory"
  ) {
    Closing(new Pfs(directory("pfs"))) { pfs =>
      val memory = Paths.get("/dev/shm", scratch.getFileName.toString)
      val tiers = s"memory:$memory?capacity=1m,global:${pfs.mount}/tier"
      Closing(new Caching("local")("SPARK_LOCAL_DIRS" -> pfs.mount)) { local =>
        Closing(new Caching("tiers", "spark.hpc.scratch.tiers" -> tiers)()) { tiered =>
          val both = Seq(local, tiered)
          both.foreach(_.await("caching="))
          // Twice what the jobs take, and more, where nothing else runs.
          pfs.stall(120)
          val probe = Started(Seq("stat", s"${pfs.mount}/nothing"), scratch)
          both.foreach(_.tell("stalled"))
          both.foreach(_.await("innocent=5 499500"))
          both.foreach(_.await("lost="))
          for (program <- both)
            Patience.until("lost=0", 0.seconds)(
              Some(()).filter(_ => program.said.contains("lost=0"))
            )(s"${program.said}\nIts executors:\n${program.log}")
          val held = cachedIn(memory)
          assert(held.nonEmpty)
          tiered.terminateExecutor()
          // It may be killed 10 s later.
          awaitNone(held)(tiered.log.takeRight(8000))
          assert(probe.isAlive, s"the stall was over too early: ${local.said}")
          both.foreach(_.tell("enough"))
          both.foreach(_.await("wrong=0"))
          both.foreach(_.awaitEnd())
          for (program <- both) {
            val log = program.log
            assert(log.contains(s"are written to ${pfs.mount}") && log.contains("(shared)"), log)
          }
          val log = tiered.log
          assert(log.contains(s"Scratch files go on in global ${pfs.mount}/tier/"), log)
        }
      }
      // The driver doesn't wait for its executors.
      Patience.until(s"removal of all in $memory")(
        Try(Files.delete(memory)).toOption
      )(FilesBelow(memory).mkString("\n"))
    }
  }

  private def awaitNone(directories: Set[Path])(otherwise: => String): Unit =
    Patience.until(s"removal of $directories", 60.seconds)(
      Some(()).filter(_ => !directories.exists(Files.exists(_)))
    )(otherwise)

  /** The directories of executors that have cached blocks there. */
  private def cachedIn(memory: Path): Set[Path] =
    FilesBelow(memory).filter(_.getFileName.toString.startsWith("rdd_")).map(_.getParent).toSet
}
