package org.apache.spark.examples.hpc

import java.io.PrintStream

import scopt.OParser

import org.apache.spark.SparkConf
import org.apache.spark.deploy.SparkHadoopUtil
import org.apache.spark.sql.SparkSession

/** A program that does one known piece of work, times its phases and checks its answer.
  *
  * Its last line is `label: key=value ... seconds.PHASE=... seconds=... check=ok`. `check=ok` stands
  * there only when the answer was compared with one that was found another way and is right; a
  * wrong answer is a [[Refusal]] instead.
  */
trait Workload[O] extends Program with Syntax[O] {

  protected def label: String

  protected def defaults: O

  protected def syntax: OParser[_, O]

  /** Refuses options' paths that can't be used, before Spark starts. */
  protected def look(options: O, locations: Locations): Unit

  private[hpc] def work(spark: SparkSession, options: O, phases: Phases): Outcome

  final override protected def execute(args: Seq[String], out: PrintStream): Unit =
    CommandLine.parse(syntax, args, defaults, out).foreach { options =>
      val conf = new SparkConf().setIfMissing("spark.app.name", name)
      look(options, new Locations(SparkHadoopUtil.get.newConfiguration(conf)))
      val spark = SparkSession.builder.config(conf).getOrCreate()
      try {
        val phases = new Phases(spark.sparkContext)
        val outcome = work(spark, options, phases)
        val check = if (outcome.checked) "ok" else "skipped"
        val figures = outcome.figures ++ phases.figures :+ ("check" -> check)
        out.println(figures.map { case (key, value) => s"$key=$value" }.mkString(
          s"$label: ",
          " ",
          ""
        ))
      } finally spark.stop()
    }
}

/** A workload whose data is in memory and shuffle files only. */
trait WithoutFiles[O] extends Workload[O] {
  override protected def look(options: O, locations: Locations): Unit = ()
}
