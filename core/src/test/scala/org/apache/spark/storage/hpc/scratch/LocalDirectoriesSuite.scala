package org.apache.spark.storage.hpc.scratch

import java.nio.file.{Files, Path}

import org.apache.spark.{Refusal, SparkConf, SparkContext}
import org.apache.spark.internal.config.Hpc
import org.apache.spark.storage.{Scratchful, SmallFileSystems}
import org.scalatest.funsuite.AnyFunSuite

class LocalDirectoriesSuite extends AnyFunSuite with Scratchful with SmallFileSystems {

  private def conf(directories: Path*): SparkConf = new SparkConf(false)
    .setMaster("local").setAppName("local directories")
    .set("spark.local.dir", directories.mkString(","))

  test(
    "where nothing can be written to any of them, a driver says so instead of ending the process"
  ) {
    below { folder =>
      val file = Files.createFile(folder.resolve("file"))
      val said = intercept[Refusal](new SparkContext(conf(file.resolve("a"), file))).getMessage
      assert(said.startsWith(s"spark.local.dir is '$file/a,$file' on "), said)
      assert(said.contains(s"$file is a file. ") && said.contains("SPARK_LOCAL_DIRS"), said)
    }
  }

  test("the same where they are known to be on a shared file system") {
    below { folder =>
      val file = Files.createFile(folder.resolve("file"))
      val known = conf(file).set(Hpc.SCRATCH_KIND, "shared")
      val said = intercept[Refusal](new SparkContext(known)).getMessage
      assert(said.startsWith(s"spark.local.dir is '$file' on "), said)
    }
  }

  test("one that can be used is enough, as in stock, and it may have to be made") {
    below { folder =>
      val file = Files.createFile(folder.resolve("file"))
      val usable = conf(file, folder.resolve("made/of/several"))
      assert(LocalDirectories.checked(usable) eq usable)
    }
  }

  test("a full file system") {
    onSmallTmpfs("64k") { folder =>
      Files.write(folder.resolve("all"), new Array[Byte](64 * 1024))
      val said = intercept[Refusal](LocalDirectories.checked(conf(folder))).getMessage
      assert(
        said.contains(s"the file system of $folder is full, or your quota there. Name a directory"),
        said
      )
      val full = conf(folder)
      assert(LocalDirectories.checked(full, mayBeFull = true) eq full)
    }
  }
}
