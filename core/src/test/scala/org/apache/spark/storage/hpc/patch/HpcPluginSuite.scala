package org.apache.spark.storage.hpc.patch

import org.apache.spark.{SparkConf, SparkException}
import org.apache.spark.hpc.Build
import org.scalatest.funsuite.AnyFunSuite

class HpcPluginSuite extends AnyFunSuite {
  private val name = "org.apache.spark.storage.hpc.patch.HpcPlugin"
  private val version = Build.current.version

  test("it joins the user's plugins, once") {
    val conf = new SparkConf(false).set("spark.plugins", "a.Users,b.Own")
    HpcPlugin.addTo(conf)
    HpcPlugin.addTo(conf)
    assert(conf.get("spark.plugins") == s"a.Users,b.Own,$name")
  }

  test("an executor of ours refuses a driver without Spark-HPC") {
    val error = intercept[SparkException](HpcPlugin.requireDriver(new SparkConf(false), "7"))
    assert(error.getMessage.contains(s"executor 7 has Spark-HPC $version, its driver has none"))
    HpcPlugin.requireDriver(new SparkConf(false).set("spark.plugins", s"x.Y,$name"), "7")
  }

  test("an executor of another version is refused, one of the same isn't") {
    val error = intercept[SparkException](HpcPlugin.requireSame("3.5.7-hpc-0", "7"))
    assert(
      error.getMessage.contains(s"executor 7 has Spark-HPC $version, its driver has 3.5.7-hpc-0")
    )
    HpcPlugin.requireSame(version, "7")
  }

  test("the driver understands why an executor was lost") {
    val stock = HpcPlugin.mismatchIn("7", s"Unable to create executor due to $name")
    assert(stock.exists(_.contains(s"the driver has Spark-HPC $version, executor 7 has none")))
    val other =
      HpcPlugin.mismatchIn("7", s"Unable to create executor due to ${HpcPlugin.Mismatch}: x")
    assert(other.contains(s"${HpcPlugin.Mismatch}: x"))
    assert(HpcPlugin.mismatchIn("7", "Command exited with code 137").isEmpty)
  }
}
