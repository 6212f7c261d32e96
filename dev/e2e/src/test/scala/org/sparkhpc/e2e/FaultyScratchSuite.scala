package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._
import scala.concurrent.duration._

import org.scalatest.funsuite.AnyFunSuite

/** Programs that spill and keep blocks on disk, while requests to their first tier fail. */
class FaultyScratchSuite extends AnyFunSuite with Scratch {
  import FaultyScratchSuite._

  private lazy val base = directory("pfs")
  private lazy val pfs = new Pfs(base)
  private lazy val disk = directory("disk")

  override protected def afterAll(): Unit =
    try pfs.close()
    finally super.afterAll()

  /** All scenarios in one process, an application each. */
  private def submit(scenarios: Seq[String]): Submit = {
    // Files that the program looks for come and go in the tiers.
    val elsewhere = directory("elsewhere")
    Submit(
      Dist.patched,
      // Four attempts for each task.
      "local[2,4]",
      "FaultyScratches",
      Spilling,
      Seq(Testbed.of("pfs"), base.toString, elsewhere.toString) ++ scenarios
    )
  }

  private def scenario(name: String, tiers: String, words: Seq[String]): String =
    (Seq(name, s"spark.hpc.scratch.tiers=$tiers") ++ words).mkString(" ")

  /** The tiers of a scenario with a fault: the first one has it. */
  private def tiersOf(fault: Fault): Seq[Path] =
    Seq(Path.of(pfs.mount), disk).map(_.resolve(fault.name))

  /** Without a fault, with each for which there is another tier, and with one that ends the program. */
  private lazy val faulty: Run = {
    val recovered = Faults.map { fault =>
      val Seq(first, second) = tiersOf(fault)
      scenario(
        fault.name,
        s"burst:$first,local:$second",
        (fault.settings :+ "fault") ++ fault.words
      )
    }
    val failing = Seq("spark.master=local[2]", "fault", "EIO", "--kind", "close", "--class", "rdd")
    val scenarios = scenario("none", s"local:$disk/none", Nil) +: recovered :+
      scenario("failing", s"burst:${pfs.mount}/failing", failing)
    submit(scenarios).run(scratch)
  }

  /** What the process printed in a scenario that is over and hasn't failed. */
  private def over(name: String): Run = {
    val part = faulty.copy(out = partOf(faulty.out, name))
    assert(Apps.result(part, "ended") == name, faulty)
    part
  }

  private lazy val expected = Apps.result(over("none"), "result")

  for (fault <- Faults)
    test(s"${fault.what}: Spark's result, and a warning that names the tier") {
      val run = over(fault.name)
      assert(Apps.result(run, "result") == expected, run)
      val tier = s"Scratch tier burst ${pfs.mount}/${fault.name}/spark-hpc-"
      val warnings = run.err.linesIterator.filter(_.contains(tier)).toSeq
      assert(warnings.exists(_.contains("is passed over for 30 s")), run)
      val left = tiersOf(fault).filter(Files.exists(_))
        .flatMap(directory => Closing(Files.list(directory))(_.iterator().asScala.toList))
      assert(left.isEmpty)
    }

  test("when each block is lost as it is closed and there is no other tier: one clear error") {
    // All before it is over.
    over(Faults.last.name): Unit
    val said = partOf(faulty.out, "failing")
    assert(faulty.out.linesIterator.contains("scenario=failing") && !said.contains("ended="))
    assert(faulty.exit != 0, faulty)
    val errors = faulty.err.linesIterator.filter(_.contains(s"burst ${pfs.mount}/failing/")).toSeq
    assert(errors.exists(_.contains("as it was closed: Input/output error")), faulty)
  }

  /** What programs say whose first tier dies when they have cached blocks there, by scenario. */
  private lazy val deaths: Map[String, Death] =
    Closing(new Pfs(directory("dying"))) { dying =>
      Closing(new Pfs(directory("lonely"))) { lonely =>
        def first(pfs: Pfs): String = s"burst:${pfs.mount}/a"
        def signal(name: String): Path = scratch.resolve(s"$name-dead")
        def words(name: String, attempts: Int): Seq[String] =
          Seq(s"spark.master=local[2,$attempts]", s"signal=${signal(name)}")
        val scenarios = Seq(
          scenario("dying", s"${first(dying)},local:$disk/dying", words("dying", attempts = 4)),
          scenario("lonely", first(lonely), words("lonely", attempts = 2))
        )
        val run = Started(submit(scenarios).command, scratch)
        val all = Seq("dying" -> dying, "lonely" -> lonely)
        try {
          for ((name, pfs) <- all) {
            Patience.until(s"cached blocks of $name", 120.seconds) {
              assert(run.isAlive, run.said)
              Some(()).filter(_ => partOf(run.said, name).contains("cached=20000"))
            }(run.said)
            pfs.kill()
            Files.createFile(signal(name))
          }
          Patience.until("its end", 120.seconds)(Some(()).filter(_ => !run.isAlive))(run.said)
        } finally run.kill()
        all.map { case (name, pfs) =>
          name -> Death(first(pfs).replace(':', ' '), partOf(run.said, name))
        }.toMap
      }
    }

  test("a mount that dies: what was there is computed again, and the rest goes on elsewhere") {
    val Death(tier, said) = deaths("dying")
    assert(said.linesIterator.contains(s"result=$expected"), said)
    assert(said.contains(s"Scratch tier $tier/spark-hpc-"), said)
    assert(said.contains("Transport endpoint is not connected"), said)
  }

  test("a mount that dies and is the only tier: one error with its reason and a remedy") {
    val Death(tier, said) = deaths("lonely")
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
  val Spilling: Seq[(String, String)] = Seq(
    "spark.shuffle.compress" -> "false",
    "spark.shuffle.spill.compress" -> "false",
    "spark.shuffle.spill.numElementsForceSpillThreshold" -> "1000"
  )

  /** Requests to a scenario's first tier that fail.
    *
    * @param words of the testbed's command
    * @param settings of the application, `KEY=VALUE`
    */
  private final case class Fault(
      name: String,
      what: String,
      words: Seq[String],
      settings: Seq[String] = Nil
  )

  private val Faults = Seq(
    Fault("error", "an I/O error", Seq("EIO", "--kind", "write")),
    Fault("quota", "a quota that is used up", Seq("EDQUOT", "--kind", "create", "--after", "3")),
    Fault("readonly", "a read-only file system", Seq("EROFS", "--kind", "create", "--after", "3")),
    Fault(
      "blocks",
      "blocks lost as they are closed",
      Seq("EIO", "--kind", "close", "--class", "rdd", "--times", "1")
    ),
    // Those that share files aren't closed.
    Fault(
      "spills",
      "spills lost as they are closed",
      Seq("EIO", "--kind", "close", "--class", "temp_shuffle", "--times", "1"),
      Seq("spark.hpc.scratch.kept=0")
    )
  )

  /** What was said of a first tier that died. */
  private final case class Death(tier: String, said: String)

  /** What a process printed in a scenario. */
  private def partOf(out: String, scenario: String): String =
    out.linesIterator.dropWhile(_ != s"scenario=$scenario").drop(1)
      .takeWhile(!_.startsWith("scenario=")).mkString("\n")
}
