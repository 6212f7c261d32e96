package org.apache.spark.sql.hpc

import org.apache.spark.internal.config.Hpc
import org.apache.spark.sql.{AnalysisException, SparkSession}
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

class SettingsInSqlSuite extends AnyFunSuite with BeforeAndAfterAll {

  private lazy val spark = SparkSession.builder().master("local[1]").appName("settings in SQL")
    .config("spark.ui.enabled", "false")
    .config("spark.hpc.retention.policy", "lrc")
    .getOrCreate()

  override protected def afterAll(): Unit =
    try spark.stop()
    finally super.afterAll()

  test("SET -v has all our settings, with their values, among SQL's own") {
    val rows = spark.sql("SET -v").collect().map(row => row.getString(0) -> row.getString(1))
    val values = rows.toMap
    assert(Hpc.settings.map(_.entry.key).forall(values.contains))
    assert(
      values("spark.hpc.retention.policy") == "lrc" && values("spark.hpc.retention.spill") == "auto"
    )
    assert(values("spark.hpc.scratch.tiers") == "<undefined>")
    assert(values.contains("spark.sql.shuffle.partitions") && rows.map(_._1).sorted.sameElements(
      rows.map(_._1)
    ))
  }

  private def refusal(sql: String): String = intercept[AnalysisException](spark.sql(sql)).getMessage

  test(
    "SET of one of ours is refused: with the nearest if it is mistyped, and otherwise with when it is read"
  ) {
    assert(refusal("SET spark.hpc.retention.polcy=cost").contains(
      "write spark.hpc.retention.policy if that was meant"
    ))
    assert(refusal("SET spark.hpc.retention.policy=lrc").contains(
      "start it with --conf spark.hpc.retention.policy=lrc"
    ))
  }

  test("what SET does otherwise is Spark's own") {
    assert(spark.sql("SET spark.hpc.retention.policy").head().getString(1) == "lrc")
    spark.sql("SET spark.sql.shuffle.partitions=7")
    assert(spark.sql("SET spark.sql.shuffle.partitions").head().getString(1) == "7")
    spark.sql("SET anything.else=1")
  }
}
