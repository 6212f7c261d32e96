package org.apache.spark.graphx.hpc

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.internal.config.Hpc
import org.scalatest.{BeforeAndAfterAll, Suite}

/** A context for all tests of a suite, on two threads. */
trait LocalContext extends BeforeAndAfterAll { this: Suite =>

  protected def conf: SparkConf =
    new SparkConf().setMaster("local[2]").setAppName(suiteName).set("spark.ui.enabled", "false")

  protected lazy val context = new SparkContext(conf)

  override protected def afterAll(): Unit =
    try context.stop()
    finally super.afterAll()

  /** Runs a program with the engine, and asserts that it didn't decline. */
  protected def withEngine[T](program: => T): T = {
    val (runs, declines) = (EngineCounts.runs.getCount, EngineCounts.declines.getCount)
    val result = set("auto")(program)
    assert(EngineCounts.runs.getCount > runs && EngineCounts.declines.getCount == declines)
    result
  }

  protected def withStock[T](program: => T): T = set("stock")(program)

  protected def set[T](engine: String)(program: => T): T = {
    context.conf.set(Hpc.GRAPHX_ENGINE, engine)
    try program
    finally context.conf.remove(Hpc.GRAPHX_ENGINE)
  }
}
