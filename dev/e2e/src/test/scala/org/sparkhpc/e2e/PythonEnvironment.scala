package org.sparkhpc.e2e

import java.nio.file.{Path, Paths}

import scala.util.Try

/** A virtual environment with `pip install pyspark` and what its pandas and Connect parts need.
  *
  * It is made once and kept below target/; its own Spark jars are stock ones, so whatever shows ours
  * has found the distribution.
  */
object PythonEnvironment {

  private lazy val folder: Path = {
    val module = Dist.root.resolve("dev/e2e")
    val to = module.resolve("target/python")
    val command = Seq(module.resolve("make-python").toString, Dist.sparkVersion, to.toString)
    val made = Try(Run(command, module.resolve("target"), seconds = 600))
    Needs(made.toOption.exists(_.exit == 0), s"Python packages by pip: $made")
    to
  }

  def python: String = folder.resolve("bin/python").toString

  /** The official Spark that pip has installed. */
  def spark: Dist = {
    val where = "import os, pyspark; print(os.path.dirname(pyspark.__file__))"
    val run = Run(Seq(python, "-c", where), folder)
    Dist(Paths.get(run.out.trim).toRealPath())
  }

  /** An application or a module of the tests. */
  def script(name: String): String =
    Dist.root.resolve("dev/e2e/src/test/python").resolve(name).toString
}
