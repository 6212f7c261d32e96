package org.apache.spark.deploy

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{AbstractFileSystem, LocalFileSystem, RawLocalFileSystem}
import org.apache.spark.SparkConf
import org.apache.spark.hpc.files.{HpcLocalFileSystem, HpcLocalFs}
import org.scalatest.funsuite.AnyFunSuite

class HadoopSettingsSuite extends AnyFunSuite {

  private def made(settings: (String, String)*): Configuration =
    SparkHadoopUtil.newConfiguration(new SparkConf(false).setAll(settings))

  private def fileSystem(conf: Configuration): String = conf.get("fs.file.impl")

  private val ours = classOf[HpcLocalFileSystem].getName

  test("each configuration that Spark makes has our file system for file:, with its settings") {
    assert(fileSystem(made()) == ours)
    val conf = made("spark.hpc.files.checksums" -> "never", "spark.hpc.files.kind" -> "shared")
    assert(fileSystem(conf) == ours)
    assert(conf.get("spark.hpc.files.checksums") == "never")
    assert(conf.get("spark.hpc.files.kind") == "shared")
    val file = new java.net.URI("file:///")
    assert(AbstractFileSystem.createFileSystem(file, conf).getClass == classOf[HpcLocalFs])
    // Programs cast it.
    assert(classOf[LocalFileSystem].isAssignableFrom(classOf[HpcLocalFileSystem]))
  }

  test("what the user chose, or switched off, stays so") {
    assert(fileSystem(made("spark.hpc.files.enabled" -> "false")) == null)
    val raw = classOf[RawLocalFileSystem].getName
    assert(fileSystem(made("spark.hadoop.fs.file.impl" -> raw)) == raw)
    val forFileContext = "fs.AbstractFileSystem.file.impl"
    assert(made(s"spark.hadoop.$forFileContext" -> raw).get(forFileContext) == raw)
    assert(made("spark.hpc.files.enabled" -> "false").get(forFileContext).endsWith(".LocalFs"))
    assert(SparkHadoopUtil.newConfiguration(null).get("fs.file.impl") == null)
  }

  test("a wrong value is left to the check of the application's settings") {
    assert(fileSystem(made("spark.hpc.files.enabled" -> "perhaps")) == null)
    val conf = made("spark.hpc.files.kind" -> "floppy")
    assert(fileSystem(conf) == ours && conf.get("spark.hpc.files.kind") == null)
  }
}
