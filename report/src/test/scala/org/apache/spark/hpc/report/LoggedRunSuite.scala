package org.apache.spark.hpc.report

import java.nio.file.{Files, Path, Paths}

import scala.collection.JavaConverters._

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.util.Utils

/** Event logs as Spark writes them. */
class LoggedRunSuite extends AnyFunSuite {

  private def logOf(settings: (String, String)*)(use: (SparkContext, Path) => Unit): Path = {
    val directory = Utils.createTempDir().toPath
    val conf = new SparkConf()
      .setMaster("local[2]")
      .setAppName("logged")
      .set("spark.ui.enabled", "false")
      .set("spark.eventLog.enabled", "true")
      .set("spark.eventLog.dir", directory.toUri.toString)
      .setAll(settings)
    val sc = new SparkContext(conf)
    try {
      sc.parallelize(1 to 1000, 8).map(i => (i % 10, i)).reduceByKey(_ + _, 4).count()
      use(sc, directory)
    } finally sc.stop()
    directory
  }

  private def only(directory: Path): String = Files.list(directory).iterator.asScala.toSeq match {
    case Seq(log) => log.toString
  }

  private def assertWhole(log: String, directory: Option[String] = None): Unit = {
    val run = LoggedRun.read(log, directory)
    assert(run.name == "logged" && run.ended.isDefined)
    assert(run.stages.map(_.tasks) == Seq(8, 4))
    assert(run.totals.cores == 2)
  }

  test("a log in one file, and in rolled files, compressed or not") {
    val rolled = Seq("spark.eventLog.rolling.enabled" -> "true")
    val single = Seq("spark.eventLog.rolling.enabled" -> "false")
    val plain = Seq("spark.eventLog.compress" -> "false")
    val packed = Seq("spark.eventLog.compress" -> "true")
    for (files <- Seq(rolled, single); bytes <- Seq(plain, packed))
      assertWhole(only(logOf(files ++ bytes: _*)((_, _) => ())))
  }

  test("a log is found by its application's id") {
    for (rolls <- Seq("true", "false"); packs <- Seq("true", "false")) {
      var id = ""
      val settings =
        Seq("spark.eventLog.rolling.enabled" -> rolls, "spark.eventLog.compress" -> packs)
      val directory = logOf(settings: _*)((sc, _) => id = sc.applicationId)
      assertWhole(id, Some(directory.toString))
    }
  }

  test("a log of an application that runs, or was killed while it wrote a line") {
    logOf("spark.eventLog.rolling.enabled" -> "false", "spark.eventLog.compress" -> "false") {
      (sc, directory) =>
        // The end of a job is flushed.
        val log = only(directory)
        assert(log.endsWith(".inprogress"))
        val run = LoggedRun.read(log, None)
        assert(run.ended.isEmpty && run.wall > 0)
        val killed = Utils.createTempDir().toPath.resolve(sc.applicationId)
        val bytes = Files.readAllBytes(Paths.get(log))
        Files.write(killed, bytes.take(bytes.length - 20))
        assert(LoggedRun.read(killed.toString, None).stages.nonEmpty)
    }
  }

  test("a log that somebody has given a name of his own") {
    val log = Paths.get(only(logOf(
      "spark.eventLog.rolling.enabled" -> "false",
      "spark.eventLog.compress" -> "false"
    )((_, _) => ())))
    assertWhole(Files.copy(log, log.resolveSibling("run of monday.log")).toString)
  }

  test("what is no event log is refused with what to do") {
    val none = intercept[LogRefused](LoggedRun.read("app-1", Some("/nowhere")))
    assert(none.getMessage.contains("/nowhere/app-1") && none.getMessage.contains("give its path"))
    val other =
      Files.write(Utils.createTempDir().toPath.resolve("other"), "not an event log\n".getBytes)
    assert(
      intercept[LogRefused](LoggedRun.read(other.toString, None)).getMessage.contains("no events")
    )
  }
}
