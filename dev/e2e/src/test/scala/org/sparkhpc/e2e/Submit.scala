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
    Seq(dist.bin("spark-submit"), "--master", master) ++ options ++
      (("spark.ui.enabled" -> "false") +: settings).flatMap { case (key, value) =>
        Seq("--conf", s"$key=$value")
      } ++
      // The lines of PatchCheck; on stock Spark as well.
      Seq("--jars", Dist.patched.examplesJar.toString) ++
      Seq("--class", s"org.sparkhpc.apps.$program", Apps.jar.toString) ++ args

  def run(dir: Path, env: Map[String, String] = Map.empty): Run = Run(command, dir, env)
}

object Submit {

  /** Two executors of one core, in JVMs of their own. */
  val LocalCluster = "local-cluster[2,1,1024]"
}
