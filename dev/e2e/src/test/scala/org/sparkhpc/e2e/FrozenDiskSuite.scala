package org.sparkhpc.e2e

import java.nio.file.Files

import scala.concurrent.duration._
import scala.util.matching.Regex

import org.scalatest.funsuite.AnyFunSuite

/** Cached blocks are spilled to a node's own disk, and that stands still. */
class FrozenDiskSuite extends AnyFunSuite with Scratch {
  import FrozenDiskSuite._

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))

  private def executorLogs: Seq[String] =
    FilesBelow(dist.home.resolve("work")).filter(_.endsWith("stderr")).map(Run.read)

  test("jobs of a program that never asked for a disk go on while it stands still") {
    Closing(new LoopFs(directory("disk").resolve("xfs"))) { disk =>
      val signals = directory("signals")
      val submit = Submit(
        dist,
        "local-cluster[2,1,512]",
        "Uninvited",
        StandaloneCluster.Both ++ Seq(
          // 4 MB for blocks on each executor, and more than enough on the driver.
          "spark.executor.memory" -> "512m",
          "spark.memory.fraction" -> "0.02",
          "spark.hpc.retention.spill" -> "always"
        ),
        Seq(signals.toString),
        Seq("--driver-memory", "2g")
      )
      Closing(Started(submit.command, scratch, Map("SPARK_LOCAL_DIRS" -> disk.mount))) { program =>
        def executors: String = executorLogs.mkString("\n")
        def await(line: Regex): Unit = Patience.until(line.regex, 300.seconds) {
          val isOver = !program.isAlive
          val isSaid = program.said.linesIterator.exists(line.pattern.matcher(_).matches)
          assert(isSaid || !isOver, program.said)
          Some(()).filter(_ => isSaid)
        }(s"${program.said}\nIts executors:\n$executors")

        await(raw"before=List\($Sum, $Sum\)".r)
        await(raw"spilled=List\(\d{6,}, \d{6,}\)".r)
        disk.freeze()
        try {
          Files.createFile(signals.resolve("frozen"))
          await("went on=true".r)
          assert(executorLogs.map(counts) == Seq((1, 0), (1, 0)), executors)
          assert(disk.isFrozen, "it wasn't long enough")
        } finally disk.thaw()
        val said = program.said.linesIterator.toSeq
        for (line <- (1 to 3).map(i => s"frozen.$i=$Sum") :+ s"reread=$Sum" :+ "lost=0")
          assert(said.contains(line), program.said)
        Patience.until("an answer of the disk")(
          Some(()).filter(_ => executorLogs.map(counts) == Seq((1, 1), (1, 1)))
        )(executors)
        Files.createFile(signals.resolve("thawed"))
        await("again=true".r)
        await("lost in all=0".r)
      }
    }
  }

  private def counts(log: String): (Int, Int) =
    (log.linesIterator.count(_.contains(Warning)), log.linesIterator.count(_.contains(Over)))
}

object FrozenDiskSuite {

  /** Of the numbers below 50. */
  private val Sum = 1225

  private val Warning = "are dropped from memory, not spilled, since"
  private val Over = "answers again: cached blocks are spilled"
}
