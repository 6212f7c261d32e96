package org.apache.spark.storage.hpc.scratch

import java.nio.file.{Files, Path}

import org.apache.spark.SparkContext
import org.apache.spark.storage.Scratchful
import org.scalatest.concurrent.Eventually.eventually
import org.scalatest.concurrent.PatienceConfiguration.Timeout
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}

/** What Python workers are told of tiers. */
class PythonScratchSuite extends AnyFunSuite with Scratchful {

  private def told(sc: SparkContext): Seq[Path] =
    PythonScratch.directories(sc.env.blockManager.diskBlockManager).map(_.toPath).toSeq

  test("the first tier with room, until Python's own files have used it up; then the home") {
    below { folder =>
      withContext(s"local:$folder/a?capacity=100k,local:$folder/b") { sc =>
        val Seq(first, home) = tiers(sc).all
        assert(told(sc) == Seq(first.directory.toPath))
        val spill = Files.createDirectories(first.directory.toPath.resolve("python/1/2/0"))
        Files.write(spill.resolve("58"), new Array[Byte](200 << 10))
        // It is looked up every 10 seconds.
        eventually(Timeout(Span(60, Seconds))) {
          assert(told(sc) == blocks(sc).localDirs.map(_.toPath).toSeq)
        }
        assert(first.usedByOthers == 200 << 10 && home.usedByOthers == 0)
      }
      assert(filesIn(folder).isEmpty)
    }
  }

  test("a shared tier is no quick one, and without tiers it is as in stock") {
    below { folder =>
      withContext(s"global:$folder/a,local:$folder/b,global:$folder/c") { sc =>
        assert(told(sc) == blocks(sc).localDirs.map(_.toPath).toSeq)
      }
    }
    withSpark(1)(sc =>
      assert(told(sc) == sc.env.blockManager.diskBlockManager.localDirs.map(_.toPath).toSeq)
    )
  }
}
