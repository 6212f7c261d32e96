package org.sparkhpc.e2e

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files
import java.nio.file.attribute.FileTime

import scala.concurrent.duration._

import org.scalatest.funsuite.AnyFunSuite

/** A stateful query that is killed with all its executors and goes on from its checkpoint. */
class StreamingSuite extends AnyFunSuite with Scratch {
  import StreamingSuite._

  private val begun = System.currentTimeMillis()
  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))
  private lazy val input = directory("input")
  private lazy val checkpoint = scratch.resolve("checkpoint")
  private lazy val output = scratch.resolve("output")

  private def stream(master: String, mode: String): Submit = Submit(
    dist,
    master,
    "Stream",
    Seq("spark.sql.shuffle.partitions" -> "2", "spark.sql.session.timeZone" -> "UTC"),
    Seq(input, output, checkpoint).map(_.toString) :+ mode
  )

  private def write(hours: Range): Unit = for (hour <- hours) write(hour)

  /** Renamed into place, so that no half of a file is read. */
  private def write(hour: Int): Unit = {
    val part = Files.createTempFile(scratch, "rows", ".part")
    Files.write(part, rows(hour).getBytes(UTF_8))
    // Spark orders them by this time. Some file systems have only seconds.
    Files.setLastModifiedTime(part, FileTime.fromMillis(begun + (hour - LastHour) * 1000L))
    Files.move(part, input.resolve(f"$hour%02d.json"))
    ()
  }

  private def committed(batch: Int): Boolean =
    Files.exists(checkpoint.resolve(s"commits/$batch"))

  test("after a kill nothing is lost and nothing is counted twice") {
    write(0 until BeforeKill)
    val killed = Started(stream("local-cluster[1,2,1024]", "forever").command, scratch)
    try
      Patience.until("three batches", 120.seconds) {
        assert(killed.isAlive, killed.said)
        Some(()).filter(_ => committed(2))
      }(killed.said)
    finally killed.kill()
    assert(!committed(BeforeKill), killed.said)

    write(BeforeKill to LastHour)
    val run = stream(Submit.LocalCluster, "rest").run(scratch)
    PatchReport.assertPatched(run, "0", "1", "driver")
    // It went on where it was: the state of the hours before came out of the checkpoint.
    assert(Apps.result(run, "batches").split(" ").head.toInt >= 3, run)
    // The last hour isn't over.
    assert(Apps.result(run, "counts") == (0 until LastHour).flatMap(counts).mkString(" "), run)
  }
}

object StreamingSuite {

  /** More than are counted before the kill. */
  private val BeforeKill = 9

  private val LastHour = 11

  private val keys = Seq("a", "b", "c")

  /** Those of an hour, and some that are late by less than the watermark. */
  private def rows(hour: Int): String = {
    val own = for (n <- 0 until 60) yield row(hour, s"$n".reverse.padTo(2, '0').reverse, n)
    val late = if (hour == 0) Nil else Seq(row(hour - 1, "59", 1000))
    // The late ones come first: afterwards their hour may be closed.
    (late ++ own).mkString("", "\n", "\n")
  }

  private def row(hour: Int, minute: String, n: Int): String =
    f"""{"time":"2026-01-01T$hour%02d:$minute:30Z","key":"${keys(n % 3)}","n":$n}"""

  private def counts(hour: Int): Seq[String] = keys.zipWithIndex.map { case (key, rest) =>
    val numbers = (0 until 60).filter(_ % 3 == rest) ++ Seq(1000).filter(_ % 3 == rest)
    f"($hour%02d,$key,${numbers.size},${numbers.sum})"
  }
}
