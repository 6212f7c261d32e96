package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** The metrics as docs/how-to.md has them: in each executor's own output, and in no file more. */
class MetricsRecipeSuite extends AnyFunSuite with Scratch {
  import MetricsRecipeSuite._

  test("each executor prints its metrics, and makes no file for them") {
    Closing(new StandaloneCluster(Dist.patched, directory("standalone"))) { cluster =>
      val options = (StandaloneCluster.Both.map { case (key, value) => s"$key=$value" } ++ recipe)
        .flatMap(Seq("--conf", _))
      val command = Seq(Dist.patched.bin("run-example"), "--master", cluster.url) ++ options
      val run = Run(command ++ Seq("hpc.Sleep", "--tasks", "2", "--millis", "5000"), scratch)
      assert(run.exit == 0 && !run.out.contains("patchedComponents"), run)
      val outputs = cluster.executorOutputs
      val values = outputs.map(Components.findAllMatchIn(_).map(_.group(1)).toSet)
      assert(values == Seq(Set("4"), Set("4")), outputs)
      val files = FilesBelow(cluster.daemons.work).map(_.getFileName.toString)
      assert(files.filterNot(_.endsWith(".jar")).sorted == Seq(
        "stderr",
        "stderr",
        "stdout",
        "stdout"
      ))
    }
  }
}

object MetricsRecipeSuite {

  private val Components = """(?m)^\S+\.hpc\.patchedComponents\n +value = (\d+)$""".r

  /** The settings of the page's command, but for a program that takes seconds. */
  private def recipe: Seq[String] = {
    val page = Run.read(Dist.root.resolve("docs/how-to.md"))
    val settings =
      """--conf (spark\.metrics\.\S+)""".r.findAllMatchIn(page).map(_.group(1)).toSeq
    assert(settings.size == 3 && settings.count(_.endsWith(".unit=minutes")) == 1, settings)
    settings.map(_.replace(".unit=minutes", ".unit=seconds"))
  }
}
