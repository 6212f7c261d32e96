package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** spark-shell with a script on its standard input. */
class ShellSuite extends AnyFunSuite with Scratch {

  test("what a script asks of the executors is answered by patched ones") {
    val dist = Dist.patched.placedIn(scratch.resolve("dist"))
    val run = Run(
      Seq(
        dist.bin("spark-shell"),
        "--master",
        "local-cluster[2,1,1024]",
        "--conf",
        "spark.ui.enabled=false"
      ),
      scratch,
      input = ShellSuite.script
    )
    assert(run.exit == 0, run)
    assert(
      ShellSuite.answers(run) == Seq(
        "0 org.apache.spark.storage.hpc.patch.HpcBlockManager",
        "1 org.apache.spark.storage.hpc.patch.HpcBlockManager"
      ),
      run
    )
    // At level WARN, which is a shell's, nothing else does.
    assert(run.err.linesIterator.contains(s"Spark-HPC ${Dist.version} in ${dist.home}"), run)
  }

  test("its own options are understood") {
    val script = scratch.resolve("preload.scala")
    java.nio.file.Files.write(script, "val fromFile = 6 * 7\n".getBytes)
    val run = Run(
      Seq(
        Dist.patched.bin("spark-shell"),
        "--master",
        "local[1]",
        "--conf",
        "spark.ui.enabled=false",
        "-I",
        script.toString
      ),
      scratch,
      input = "println(s\"[$fromFile]\")\n"
    )
    assert(run.lines.contains("[42]"), run)
  }
}

object ShellSuite {

  /** Prints a line for each executor; tasks are held for a moment so that each gets some. */
  val script: String =
    """while (sc.getExecutorMemoryStatus.size < 3) Thread.sleep(100)
      |val seen = sc.parallelize(1 to 40, 40).map { _ =>
      |  Thread.sleep(50)
      |  val env = org.apache.spark.SparkEnv.get
      |  "answer " + env.executorId + " " + env.blockManager.getClass.getName
      |}.collect().distinct.sorted
      |seen.foreach(println)
      |""".stripMargin

  def answers(run: Run): Seq[String] =
    run.lines.filter(_.startsWith("answer ")).map(_.stripPrefix("answer "))
}
