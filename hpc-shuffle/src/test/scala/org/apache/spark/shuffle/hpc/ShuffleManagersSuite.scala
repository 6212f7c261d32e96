package org.apache.spark.shuffle.hpc

import java.nio.file.Files

import org.apache.spark.SparkEnv
import org.apache.spark.shuffle.sort.SortShuffleManager
import org.scalatest.funsuite.AnyFunSuite

class ShuffleManagersSuite extends AnyFunSuite {

  private def manager(settings: (String, String)*): Class[_] =
    ShuffleJobs.withContext(settings: _*) { sc =>
      assert(sc.getConf.contains("spark.shuffle.manager") == settings.exists(_._2 == "sort"))
      SparkEnv.get.shuffleManager.getClass
    }

  private val ours = classOf[HpcShuffleManager]
  private val sparks = classOf[SortShuffleManager]

  test("an application that names no shuffle manager gets ours, and Spark's if it names that") {
    assert(manager() == ours)
    assert(manager("spark.shuffle.manager" -> "sort") == sparks)
  }

  test("where its files would be Spark's own, it is Spark's") {
    assert(manager("spark.hpc.shuffle.containers.enabled" -> "false") == sparks)
    assert(manager("spark.shuffle.service.enabled" -> "true") == sparks)
  }

  test("with outputs on the shared file system it is ours in any case") {
    val shared = Files.createTempDirectory("shared")
    try {
      val global = Seq(
        "spark.hpc.shuffle.placement" -> "global",
        "spark.hpc.shuffle.directory" -> shared.toString,
        "spark.hpc.shuffle.containers.enabled" -> "false",
        "spark.shuffle.service.enabled" -> "true"
      )
      assert(manager(global: _*) == ours)
    } finally Files.delete(shared)
  }

  test("a setting that it would read is checked before it is made") {
    for ((key, value) <- Seq("containers.enabled" -> "maybe", "placement" -> "everywhere")) {
      val setting = s"spark.hpc.shuffle.$key"
      val refused = intercept[IllegalArgumentException](manager(setting -> value)).getMessage
      assert(refused.startsWith(s"$setting is '$value': write "), refused)
    }
  }
}
