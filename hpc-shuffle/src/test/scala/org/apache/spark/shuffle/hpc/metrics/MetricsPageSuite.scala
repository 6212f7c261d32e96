package org.apache.spark.shuffle.hpc.metrics

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths}

import scala.collection.JavaConverters._

import com.codahale.metrics.Timer
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.util.Utils

/** The page on metrics and the Grafana board name the figures that there are. */
class MetricsPageSuite extends AnyFunSuite {
  import MetricsPageSuite._

  private lazy val onPage: Set[String] =
    "`([a-zA-Z]+[a-zA-Z0-9_.]*)`".r.findAllMatchIn(read("docs/metrics.md")).map(_.group(1)).toSet

  /** The names in an executor's registry, those of scratch tiers with N and LABEL, and the names of timers. */
  private lazy val (registered, timers) = {
    val scratch = Utils.createTempDir()
    val conf = new SparkConf()
      .setMaster("local[1]")
      .setAppName("metrics")
      .set("spark.ui.enabled", "false")
      .set("spark.shuffle.manager", "org.apache.spark.shuffle.hpc.HpcShuffleManager")
      .set("spark.hpc.scratch.tiers", s"local:$scratch")
    val sc = new SparkContext(conf)
    try {
      val registry = sc.env.metricsSystem.getSourcesByName("hpc").head.metricRegistry.getMetrics
      def of(keep: AnyRef => Boolean): Set[String] =
        registry.asScala.collect { case (name, its) if keep(its) => general(name) }.toSet
      (of(_ => true), of(_.isInstanceOf[Timer]))
    } finally {
      sc.stop()
      Utils.deleteRecursively(scratch)
    }
  }

  test("the page has each metric, and names no other") {
    assert(registered.size > 40)
    assert((registered -- onPage).toSeq.sorted == Seq.empty)
    val groups = registered.map(_.takeWhile(_ != '.'))
    val others = onPage.filter(name => groups(name.takeWhile(_ != '.'))) -- registered
    assert(others.filterNot(isOfTimer).toSeq.sorted == Seq.empty)
  }

  test("the board asks for figures of the page") {
    val asked = "spark_hpc_(\\w+)\\{".r.findAllMatchIn(read("site/grafana/spark-hpc.json")).map(
      _.group(1)
    ).toSet
    assert(asked.size > 20)
    val figures = onPage ++ timers.flatMap(name => TimersFigures.map(figure => s"$name.$figure"))
    val known = figures.map(_.replace(".N.LABEL.", ".").replace('.', '_'))
    assert((asked -- known).toSeq.sorted == Seq.empty)
  }

  private def isOfTimer(name: String): Boolean =
    TimersFigures.exists(figure => timers(name.stripSuffix(s".$figure")))
}

private object MetricsPageSuite {
  private val TimersFigures = Seq("count", "median", "p99", "max")

  private def read(file: String): String = {
    val path: Path = Paths.get(sys.props("root.dir")).resolve(file)
    new String(Files.readAllBytes(path), UTF_8)
  }

  private def general(name: String): String =
    name.replaceFirst("^scratch\\.\\d+\\.[^.]+\\.", "scratch.N.LABEL.")
}
