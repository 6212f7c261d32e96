package org.sparkhpc.apps

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths}

/** `spark-hpc report --json JSON LOG` for several logs in one process, `LoggedReports JSON LOG [JSON LOG]...`: that
  * command ends its process. Its classes are found by their names, since this module is built without them.
  */
object LoggedReports {

  def main(args: Array[String]): Unit = args.grouped(2).foreach { case Array(json, log) =>
    val run = call("org.apache.spark.hpc.report.LoggedRun", "read", log, None)
    val made = call("org.sparkhpc.report.JsonReport", "of", run).toString
    Files.write(Paths.get(json), made.getBytes(UTF_8))
    print(call("org.sparkhpc.report.TextReport", "of", run))
  }

  private def call(of: String, method: String, args: AnyRef*): AnyRef =
    Class.forName(of).getMethods.find(_.getName == method).get.invoke(null, args: _*)
}
