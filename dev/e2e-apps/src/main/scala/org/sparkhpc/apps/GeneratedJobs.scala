package org.sparkhpc.apps

import java.nio.file.{Files, Path, Paths}
import scala.annotation.tailrec
import scala.collection.JavaConverters._
import scala.concurrent.duration._
import scala.util.Try
import scala.util.hashing.MurmurHash3

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.sql.SparkSession

/** Runs the jobs that a file lists, each a [[GeneratedJob]], and prints how many rows each of them has
  * and a hash of these: `GeneratedJobs FILE NOTES`.
  *
  * A line `application KEY=VALUE ...` begins an application with these settings, whose jobs are the
  * lines `job NUMBER NAME=VALUE ...` below it. NOTES is a directory that all executors see.
  */
object GeneratedJobs {

  // What takes longer has come to a stand.
  private val MostSeconds = 120

  def main(args: Array[String]): Unit = {
    val Array(plan, notes) = args.map(Paths.get(_))
    applications(Files.readAllLines(plan).asScala.toList.map(_.split(' ').toList), notes)
  }

  @tailrec private def applications(lines: List[List[String]], notes: Path): Unit = lines match {
    case ("application" :: settings) :: rest =>
      val (jobs, others) = rest.span(_.head == "job")
      val conf = new SparkConf().setAll(pairs(settings))
      val spark = SparkSession.builder().config(conf).getOrCreate()
      try
        for ("job" :: number :: words <- jobs) {
          val own = Files.createDirectories(notes.resolve(number))
          val job = new GeneratedJob(spark, own, pairs(words).toMap)
          Report.line(s"job.$number", outcome(spark.sparkContext, number)(job.rows))
          Loss.victim(own.toString).foreach(Report.line(s"victim.$number", _))
          job.harmed.foreach(Report.line(s"harmed.$number", _))
        }
      finally spark.stop()
      SparkSession.clearActiveSession()
      SparkSession.clearDefaultSession()
      applications(others, notes)
    case _ =>
  }

  private def pairs(words: List[String]): List[(String, String)] =
    words.map(_.split("=", 2)).map { case Array(name, value) => name -> value }

  private def outcome(sc: SparkContext, number: String)(rows: => Seq[(Long, String)]): String = {
    sc.setJobGroup(number, s"job $number", interruptOnCancel = true)
    val deadline = MostSeconds.seconds.fromNow
    val result = Try(Cancelling.when(sc, deadline.isOverdue())(rows))
    result.fold(
      failure => s"failed: ${failure.toString.linesIterator.next()}",
      rows => f"${rows.size}:${MurmurHash3.orderedHash(rows)}%08x"
    )
  }
}
