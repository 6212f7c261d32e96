package org.sparkhpc.e2e

import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

/** spark-shell with a script on its standard input. */
class ShellSuite extends AnyFunSuite with Scratch {

  test("what a script asks of an executor is answered by a patched one; -I preloads a file") {
    val dist = Dist.patched.placedIn(scratch.resolve("dist"))
    val preloaded = scratch.resolve("preload.scala")
    Files.write(preloaded, "val fromFile = 6 * 7\n".getBytes)
    val run = Run(
      Seq(
        dist.bin("spark-shell"),
        "--master",
        "local-cluster[1,2,1024]",
        "--conf",
        "spark.ui.enabled=false",
        "-I",
        preloaded.toString
      ),
      scratch,
      input = ShellSuite.script
    )
    assert(run.exit == 0, run)
    val answers = run.lines.filter(_.startsWith("answer "))
    assert(answers == Seq("answer 0 org.apache.spark.storage.hpc.patch.HpcBlockManager"), run)
    assert(run.lines.contains("[42]"), run)
    // At level WARN, which is a shell's, nothing else does.
    assert(run.err.linesIterator.contains(s"Spark-HPC ${Dist.version} in ${dist.home}"), run)
  }
}

object ShellSuite {

  /** Prints a line for each executor, and what was preloaded. */
  private val script: String =
    """while (sc.getExecutorMemoryStatus.size < 2) Thread.sleep(100)
      |val seen = sc.parallelize(1 to 4, 4).map { _ =>
      |  val env = org.apache.spark.SparkEnv.get
      |  "answer " + env.executorId + " " + env.blockManager.getClass.getName
      |}.collect().distinct.sorted
      |seen.foreach(println)
      |println(s"[$fromFile]")
      |""".stripMargin
}
