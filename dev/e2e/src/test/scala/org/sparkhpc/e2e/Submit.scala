package org.sparkhpc.e2e

import java.nio.file.Path

/** spark-submit of a program of [[Apps]], with these settings and arguments. */
final case class Submit(
    dist: Dist,
    master: String,
    program: String,
    settings: Seq[(String, String)] = Nil,
    args: Seq[String] = Nil,
    options: Seq[String] = Nil
) {

  def command: Seq[String] =
    Submit.quickly(dist) ++ Seq("--master", master) ++ options ++
      Submit.confs(("spark.ui.enabled" -> "false") +: settings) ++
      // The lines of PatchCheck; on stock Spark as well.
      Seq("--jars", Dist.patched.examplesJar.toString) ++
      Seq("--class", s"org.sparkhpc.apps.$program", Apps.jar.toString) ++ args

  def run(dir: Path, env: Map[String, String] = Map.empty): Run = Run(command, dir, env)
}

object Submit {

  /** Two executors of one core, in JVMs of their own. */
  val LocalCluster = "local-cluster[2,1,1024]"

  /** The beginning of a command: spark-submit of this distribution, with [[brief]]. */
  def quickly(dist: Dist): Seq[String] =
    dist.ofThisProcess.bin("spark-submit") +: confs(brief(dist))

  private def confs(settings: Seq[(String, String)]): Seq[String] =
    settings.flatMap { case (key, value) => Seq("--conf", s"$key=$value") }

  /** For processes of seconds, half of whose CPU time would be the optimizing compiler's, and half of the rest the
    * loading of classes.
    */
  def brief(dist: Dist): Seq[(String, String)] = ClassData.of(dist).map(_.settings).getOrElse {
    Seq("driver", "executor").map(process =>
      s"spark.$process.defaultJavaOptions" -> Run.CompileQuickly
    )
  }
}
