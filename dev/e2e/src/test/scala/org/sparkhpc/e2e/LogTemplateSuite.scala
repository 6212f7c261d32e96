package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite

/** conf/log4j2.properties.template, used as it says. */
class LogTemplateSuite extends AnyFunSuite with Scratch {

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))
  private lazy val template = Dist.patched.home.resolve("conf/log4j2.properties.template")

  private def run(program: String, input: String, options: String*): Run = {
    val settings = Seq("--master", "local[2]", "--conf", "spark.ui.enabled=false")
    Run(dist.bin(program) +: (settings ++ options), scratch, input = input)
  }

  /** Log lines, without their time. */
  private def said(run: Run): Seq[String] =
    run.err.linesIterator.collect { case LogTemplateSuite.Line(what) => what }.toSeq

  private def assertQuiet(run: Run): Unit = {
    assert(run.exit == 0, run)
    val lines = said(run)
    assert(
      lines.count(_.startsWith(
        s"INFO HpcBlockManager: Spark-HPC ${Dist.version} is in place on executor driver "
      )) == 1,
      run
    )
    assert(lines.count(_.startsWith("INFO SpillingCache: Cached blocks that ")) == 1, run)
    assert(
      lines.count(_.startsWith("INFO ShuffleManagers: Map outputs are in containers")) == 1,
      run
    )
    assert(lines.size <= 5 && run.err.linesIterator.size <= 8, run)
  }

  private def copiedTo(directory: Path): Path =
    Files.copy(template, directory.resolve("log4j2.properties"))

  test("run-example in local mode: the only process is patched, and logs a few lines by it") {
    val file = copiedTo(directory("mine"))
    val option = s"-Dlog4j2.configurationFile=file:$file"
    val check = run("run-example", "", "--driver-java-options", option, "hpc.PatchCheck")
    PatchReport.assertPatched(check, "driver")
    assertQuiet(check)
  }

  test("in conf/ it holds for shells, too, where cached blocks are read without a line for each") {
    copiedTo(dist.home.resolve("conf"))
    val cached =
      "val r = sc.range(0, 100, 1, 10).cache(); r.count(); println(\"again \" + r.count())\n"
    val shell = run("spark-shell", cached)
    assert(shell.out.contains("again 100"), shell)
    val lines = said(shell)
    assert(
      lines.exists(_.startsWith(s"INFO HpcBlockManager: Spark-HPC ${Dist.version} is in place ")),
      shell
    )
    assert(lines.size <= 5, shell)
  }
}

object LogTemplateSuite {
  private val Line = """\d\d/\d\d/\d\d \d\d:\d\d:\d\d (.*)""".r
}
