package org.sparkhpc.apps

import scala.util.control.NonFatal

import org.apache.spark.{SparkConf, SparkContext}

/** Starts an application with each of these settings, `Refusals KEY=VALUE,...`, and fails, as they are to be refused.
  *
  * Each refusal is a line with its class and message, on standard error, where the log is.
  */
object Refusals {

  def main(args: Array[String]): Unit = {
    for (settings <- args) start(settings)
    sys.exit(1)
  }

  private def start(settings: String): Unit =
    try new SparkContext(new SparkConf().setAll(Settings.of(settings.split(',').toSeq))).stop()
    catch {
      case NonFatal(refusal) =>
        System.err.println(s"refused=${refusal.getClass.getName}: ${refusal.getMessage}")
    }
}
