package org.apache.spark.storage.hpc.patch

import org.apache.spark.{HpcConf, SparkConf, SparkException}
import org.apache.spark.hpc.Build
import org.scalatest.funsuite.AnyFunSuite

class SameBuildSuite extends AnyFunSuite {
  private val name = classOf[HpcPlugin].getName
  private val version = Build.current.version

  test("the plug-in joins the user's, once") {
    assert(HpcConf.Plugin == name)
    val conf = new SparkConf(false).set("spark.plugins", "a.Users,b.Own")
    SameBuild.addPluginTo(conf)
    SameBuild.addPluginTo(conf)
    assert(conf.get("spark.plugins") == s"a.Users,b.Own,$name")
  }

  test("an executor of ours refuses a driver without Spark-HPC") {
    val error = intercept[SparkException](SameBuild.requireDriver(new SparkConf(false), "7"))
    assert(error.getMessage.contains(s"executor 7 has Spark-HPC $version, its driver has none"))
    SameBuild.requireDriver(new SparkConf(false).set("spark.plugins", s"x.Y,$name"), "7")
  }

  test("an executor of another version is refused, one of the same isn't") {
    val error = intercept[SparkException](SameBuild.require("3.5.9-hpc-0", "7"))
    assert(
      error.getMessage.contains(s"executor 7 has Spark-HPC $version, its driver has 3.5.9-hpc-0")
    )
    SameBuild.require(version, "7")
  }

  test("the driver understands why an executor was lost") {
    val stock = SameBuild.mismatchIn("7", s"Unable to create executor due to $name")
    assert(stock.exists(_.contains(s"the driver has Spark-HPC $version, executor 7 has none")))
    val other =
      SameBuild.mismatchIn("7", s"Unable to create executor due to ${SameBuild.Mismatch}: x")
    assert(other.contains(s"${SameBuild.Mismatch}: x"))
    assert(SameBuild.mismatchIn("7", "Command exited with code 137").isEmpty)
  }
}
