package org.apache.spark.examples.hpc

import org.scalatest.{BeforeAndAfterAll, Suite}

import org.apache.spark.sql.SparkSession

/** One local Spark application for all tests of a suite. */
trait LocalSession extends BeforeAndAfterAll { this: Suite =>
  private var session: SparkSession = _

  def spark: SparkSession = session

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    session = SparkSession.builder
      .master("local[2]")
      .appName(suiteName)
      .config("spark.ui.enabled", "false")
      .getOrCreate()
  }

  override protected def afterAll(): Unit =
    try session.stop()
    finally super.afterAll()
}
