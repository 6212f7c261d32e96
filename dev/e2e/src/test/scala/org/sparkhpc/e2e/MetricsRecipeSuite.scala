package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** The metrics as docs/how-to.md has them: in each executor's own output, at its end. */
class MetricsRecipeSuite extends AnyFunSuite with Scratch {
  import MetricsRecipeSuite._

  test("each executor prints its metrics once, as it ends, and makes no file for them") {
    Closing(new StandaloneCluster(Dist.patched, directory("standalone"))) { cluster =>
      val submit = Seq(
        Dist.patched.bin("run-example"),
        "--master",
        cluster.url,
        "--conf",
        "spark.ui.enabled=false"
      )
      val run = Run(submit ++ recipe ++ Seq("hpc.PatchCheck", "--executors", "2"), scratch)
      PatchReport.assertPatched(run, "0", "1", "driver")
      assert(!run.out.contains("patchedComponents"), run)
      val outputs = Patience.until("metrics of both executors") {
        Option(cluster.executorOutputs).filter(_.count(Components.findFirstIn(_).nonEmpty) == 2)
      }(cluster.executorOutputs.mkString("\n"))
      val values = outputs.map(Components.findAllMatchIn(_).map(_.group(1)).toSeq)
      assert(values == Seq(Seq("4"), Seq("4")), outputs)
      val files =
        FilesBelow(cluster.daemons.work).map(_.getFileName.toString).filterNot(_.endsWith(".jar"))
      assert(files.sorted == Seq("stderr", "stderr", "stdout", "stdout"))
    }
  }
}

object MetricsRecipeSuite {

  private val Components = """(?m)^\S+\.hpc\.patchedComponents\n +value = (\d+)$""".r

  /** The options of the page's command. */
  private def recipe: Seq[String] = {
    val page = Run.read(Dist.root.resolve("docs/how-to.md"))
    val options = """--conf (spark\.metrics\.\S+)""".r.findAllMatchIn(page).map(_.group(1)).toSeq
    assert(options.size == 3, options)
    options.flatMap(Seq("--conf", _))
  }
}
