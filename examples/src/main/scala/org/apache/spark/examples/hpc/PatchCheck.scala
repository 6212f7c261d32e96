package org.apache.spark.examples.hpc

import java.io.PrintStream

import scala.concurrent.duration._

import scopt.{OParser, OParserBuilder}

import org.apache.spark.{SparkConf, SparkContext}

/** Shows, from inside each process of an application, whether it runs our storage classes.
  *
  * One line for each executor and one for the driver; the exit code is 1 if any of them runs
  * Spark's own. It names none of our classes, so that it also runs on (and fails) stock Spark.
  */
object PatchCheck extends Program {

  private[hpc] final case class Options(executors: Int = 0, timeout: Int = 60)

  override protected def execute(args: Seq[String], out: PrintStream): Unit =
    CommandLine.parse(parser, args, Options(), out).foreach { options =>
      // Where the number of cores is known, all executors are there before the first job.
      val conf = new SparkConf()
        .setIfMissing("spark.app.name", "PatchCheck")
        .setIfMissing("spark.scheduler.minRegisteredResourcesRatio", "1.0")
      val sc = new SparkContext(conf)
      try {
        val executors = new ExecutorCensus(sc, options.executors, options.timeout.seconds).take()
        val all = executors :+ StorageClasses.here()
        all.foreach(out.println)
        StorageClasses.complaint(all).foreach(line => throw Refusal.data(line))
      } finally sc.stop()
    }

  private val builder: OParserBuilder[Options] = OParser.builder[Options]
  import builder._

  private val parser: OParser[Unit, Options] = OParser.sequence(
    programName("PatchCheck"),
    head("Which storage classes run in each process of an application"),
    opt[Int]("executors").valueName("N").action((x, o) => o.copy(executors = x))
      .validate(n => if (n >= 0) success else failure(s"--executors $n: must be 0 or more"))
      .text("wait for so many; default 0: those that register within about two seconds"),
    opt[Int]("timeout").valueName("SECONDS").action((x, o) => o.copy(timeout = x))
      .validate(n => if (n >= 1) success else failure(s"--timeout $n: must be 1 or more"))
      .text("for all answers; default 60"),
    help("help").text("print this")
  )
}
