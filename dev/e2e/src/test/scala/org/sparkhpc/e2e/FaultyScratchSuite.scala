package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._
import scala.concurrent.duration._

import org.scalatest.funsuite.AnyFunSuite

/** A program that spills and keeps blocks on disk, while requests to its first tier fail. */
class FaultyScratchSuite extends AnyFunSuite with Scratch {
  import FaultyScratchSuite._

  private lazy val pfs = new Pfs(directory("pfs"))
  private lazy val disk = directory("disk")
  private lazy val expected = Apps.result(scratchful("local[2]", s"local:$disk"), "result")

  override protected def afterAll(): Unit =
    try pfs.close()
    finally super.afterAll()

  private def submit(
      master: String,
      tiers: String,
      args: Seq[String] = Nil,
      more: Seq[(String, String)] = Nil
  ): Submit = Submit(
    Dist.patched,
    master,
    "Scratchful",
    (settings :+ ("spark.hpc.scratch.tiers" -> tiers)) ++ more,
    // Files that the program looks for come and go in the tiers.
    directory("elsewhere").toString +: args
  )

  private def scratchful(master: String, tiers: String, more: Seq[(String, String)] = Nil): Run =
    submit(master, tiers, more = more).run(scratch)

  /** Four attempts for each task. */
  private def withFault(fault: Seq[String], more: Seq[(String, String)])(
      check: Run => Unit
  ): Unit = {
    assert(expected.nonEmpty)
    pfs.fault(fault: _*)
    try check(scratchful("local[2, 4]", s"burst:${pfs.mount}/a,local:$disk", more))
    finally pfs.clear()
    val left = Seq(disk.toString, s"${pfs.mount}/a").map(Path.of(_)).filter(Files.exists(_))
      .flatMap(directory => Closing(Files.list(directory))(_.iterator().asScala.toList))
    assert(left.isEmpty)
  }

  for {
    (name, fault, more) <- Seq(
      ("an I/O error", Seq("EIO", "--kind", "write"), Nil),
      ("a quota that is used up", Seq("EDQUOT", "--kind", "create", "--after", "3"), Nil),
      ("a read-only file system", Seq("EROFS", "--kind", "create", "--after", "3"), Nil),
      (
        "blocks lost as they are closed",
        Seq("EIO", "--kind", "close", "--class", "rdd", "--times", "1"),
        Nil
      ),
      // Those that share files aren't closed.
      (
        "spills lost as they are closed",
        Seq("EIO", "--kind", "close", "--class", "temp_shuffle", "--times", "1"),
        Seq("spark.hpc.scratch.kept" -> "0")
      )
    )
  } test(s"$name: Spark's result, and a warning that names the tier") {
    withFault(fault, more) { run =>
      assert(run.exit == 0 && Apps.result(run, "result") == expected, run)
      assert(run.err.contains(s"Scratch tier burst ${pfs.mount}/a/spark-hpc-"), run)
      assert(run.err.contains("is passed over for 30 s"), run)
    }
  }

  test("when each block is lost as it is closed and there is no other tier: one clear error") {
    pfs.fault("EIO", "--kind", "close", "--class", "rdd")
    try {
      val run = scratchful("local[2]", s"burst:${pfs.mount}/a")
      assert(run.exit != 0 && run.err.contains("as it was closed: Input/output error"), run)
    } finally pfs.clear()
  }

  /** What a program says whose first tier dies when it has cached blocks there.
    *
    * @param others the tiers behind it
    */
  private def saidAfterDeath(name: String, attempts: Int, others: String): (String, String) =
    Closing(new Pfs(directory(name))) { pfs =>
      val signal = scratch.resolve(s"$name-dead")
      val first = s"burst:${pfs.mount}/a"
      val run =
        Started(
          submit(s"local[2, $attempts]", first + others, Seq(signal.toString)).command,
          scratch
        )
      def await(what: String, limit: FiniteDuration)(isSo: => Boolean): Unit =
        Patience.until(what, limit)(Some(()).filter(_ => isSo))(run.said)
      try {
        await("cached blocks", 120.seconds)(run.said.contains("cached=20000"))
        pfs.kill()
        Files.createFile(signal)
        await("its end", 120.seconds)(!run.isAlive)
      } finally run.kill()
      (first.replace(':', ' '), run.said)
    }

  test("a mount that dies: what was there is computed again, and the rest goes on elsewhere") {
    val (tier, said) = saidAfterDeath("dying", attempts = 4, s",local:$disk")
    assert(said.linesIterator.contains(s"result=$expected"), said)
    assert(said.contains(s"Scratch tier $tier/spark-hpc-"), said)
    assert(said.contains("Transport endpoint is not connected"), said)
  }

  test("a mount that dies and is the only tier: one error with its reason and a remedy") {
    val (tier, said) = saidAfterDeath("lonely", attempts = 2, "")
    val error = said.linesIterator.find(_.contains("No scratch tier takes")).getOrElse(fail(said))
    assert(error.contains(s"$tier/spark-hpc-") && error.contains("endpoint is not connected"))
    assert(
      error.contains("Give spark.hpc.scratch.tiers more room, or a directory that works"),
      error
    )
    assert(!said.contains("result="), said)
  }
}

object FaultyScratchSuite {

  /** Few records must spill. */
  private val settings = Seq(
    "spark.shuffle.compress" -> "false",
    "spark.shuffle.spill.compress" -> "false",
    "spark.shuffle.spill.numElementsForceSpillThreshold" -> "1000"
  )
}
