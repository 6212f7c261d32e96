package org.sparkhpc.e2e

import java.nio.file.Files

import scala.concurrent.duration._
import scala.util.matching.Regex

import org.scalatest.funsuite.AnyFunSuite

/** Cached blocks are spilled to a node's own disk, and that stands still. */
class FrozenDiskSuite extends AnyFunSuite with Scratch {
  import FrozenDiskSuite._

  private def cluster(disk: LoopFs): StandaloneCluster = new StandaloneCluster(
    Dist.patched,
    directory("cluster"),
    settings = Map("SPARK_LOCAL_DIRS" -> disk.mount)
  )

  test("jobs of a program that never asked for a disk go on while it stands still") {
    Closing(new LoopFs(directory("disk").resolve("xfs"))) { disk =>
      Closing(cluster(disk)) { cluster =>
        val signals = directory("signals")
        val submit = Submit(
          Dist.patched,
          cluster.url,
          "Uninvited",
          StandaloneCluster.Both ++ Seq(
            // 4 MB for blocks on each executor.
            "spark.executor.memory" -> "512m",
            "spark.memory.fraction" -> "0.02",
            "spark.hpc.retention.spill" -> "always"
          ),
          Seq(signals.toString)
        )
        Closing(Started(submit.command, scratch)) { program =>
          def executors: String = cluster.executorLogs.mkString("\n")
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
            for (log <- cluster.executorLogs) assert(counts(log) == ((1, 0)), log)
            assert(disk.isFrozen, "it wasn't long enough")
          } finally disk.thaw()
          val said = program.said.linesIterator.toSeq
          for (line <- (1 to 3).map(i => s"frozen.$i=$Sum") :+ s"reread=$Sum" :+ "lost=0")
            assert(said.contains(line), program.said)
          Patience.until("an answer of the disk")(
            Some(()).filter(_ => cluster.executorLogs.map(counts) == Seq((1, 1), (1, 1)))
          )(executors)
          Files.createFile(signals.resolve("thawed"))
          await("again=true".r)
          await("lost in all=0".r)
        }
      }
    }
  }

  private def counts(log: String): (Int, Int) =
    (log.linesIterator.count(_.contains(Warning)), log.linesIterator.count(_.contains(Over)))
}

object FrozenDiskSuite {

  /** Of the numbers below 100. */
  private val Sum = 4950

  private val Warning = "are dropped from memory, not spilled, since"
  private val Over = "answers again: cached blocks are spilled"
}
