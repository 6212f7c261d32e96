package org.sparkhpc.watchdog

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths}
import java.util.UUID

import scala.collection.JavaConverters._
import scala.util.Try

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow

/** Planted hangs: a JVM of tests that ends by itself, with an error, having said why. */
class WatchdogSuite extends AnyFunSuite {
  import WatchdogSuite._

  test("a test that waits for a process fails, the process and its daemon end, others go on") {
    val run = Run("child", minutes = 0.2)
    assert(run.exit != 0 && run.out.contains("- hangs *** FAILED ***"), run)
    assert(run.out.contains("- is over soon"), run)
    assert(run.out.contains("PlantedSuite: hangs\n  isn't over after 12 s"), run)
    // Of both JVMs.
    assert(
      run.out.contains("PlantedSuite$$anonfun") || run.out.contains(
        "at org.sparkhpc.watchdog.PlantedSuite"
      ),
      run
    )
    assert(run.out.contains("at org.sparkhpc.watchdog.PlantedChild$.waitForNobody"), run)
    assert(run.out.contains(s"lines of ${run.log}\nthe last word"), run)
    assert(run.left.isEmpty, run)
  }

  test("a test that waits for another thread is interrupted") {
    val run = Run("thread")
    assert(run.exit != 0 && run.out.contains("- hangs *** FAILED ***"), run)
    assert(
      run.out.contains(
        "at org.sparkhpc.watchdog.PlantedSuite$.org$sparkhpc$watchdog$PlantedSuite$$hang"
      ),
      run
    )
    assert(run.out.contains("- is over soon"), run)
  }

  test("one that takes no notice ends with its JVM", Slow) {
    val run = Run("deaf")
    assert(run.exit != 0 && run.out.contains("doesn't end: this JVM does"), run)
  }

  test("one that succeeds when it is interrupted has failed the run", Slow) {
    val run = Run("swallowing")
    assert(run.exit != 0 && run.out.contains("All tests passed."), run)
  }

  for (when <- Seq("before", "after"))
    test(s"so does what is $when a suite's tests") {
      val run = Run(when)
      assert(run.exit != 0 && run.out.contains(s"what is $when"), run)
      assert(run.out.contains("its thread is interrupted"), run)
    }

  test("nothing happens to tests that are over in time") {
    val run = Run("not at all")
    assert(run.exit == 0 && !run.out.contains("watchdog:"), run)
  }
}

private object WatchdogSuite {

  /** What a JVM said that ran [[PlantedSuite]], and which processes it left behind. */
  final case class Run(exit: Int, out: String, log: Path, left: Seq[String])

  object Run {
    private val Mark = "HPC_TEST_MODULE"

    def apply(way: String, minutes: Double = 0.05): Run = {
      val tmp = Files.createDirectories(Paths.get(sys.props("java.io.tmpdir")))
      val directory = Files.createTempDirectory(tmp, "planted")
      val log = directory.resolve("child").resolve("said.log")
      val out = directory.resolve("out")
      val mark = UUID.randomUUID().toString
      val builder = new ProcessBuilder(command(way, log): _*)
        .redirectErrorStream(true)
        .redirectOutput(out.toFile)
      builder.environment().put("HPC_TEST_MINUTES", minutes.toString)
      builder.environment().put(Mark, mark)
      val exit = builder.start().waitFor()
      Run(exit, new String(Files.readAllBytes(out), UTF_8), log, marked(mark))
    }

    private def command(way: String, log: Path): Seq[String] = Seq(
      Paths.get(sys.props("java.home"), "bin", "java").toString,
      s"-Dplanted=$way",
      s"-Dplanted.log=$log",
      s"-Droot.dir=${sys.props("root.dir")}",
      "-cp",
      sys.props("java.class.path"),
      "org.scalatest.tools.Runner",
      "-oW",
      "-C",
      classOf[Watchdog].getName,
      "-s",
      classOf[PlantedSuite].getName
    )

    private def marked(mark: String): Seq[String] = {
      val all = Files.newDirectoryStream(Paths.get("/proc"), "[0-9]*")
      try all.asScala.toList.flatMap { process =>
          Try(new String(Files.readAllBytes(process.resolve("environ")), UTF_8)).toOption
            .filter(_.contains(s"$Mark=$mark")).map(_ => process.toString)
        }
      finally all.close()
    }
  }
}
