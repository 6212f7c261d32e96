package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite

import scala.collection.JavaConverters._

/** A standalone cluster with authentication, encrypted traffic and encrypted scratch files. */
class EncryptionSuite extends AnyFunSuite with Scratch {
  import EncryptionSuite._

  /** A distribution whose daemons and applications all have these settings. */
  private lazy val secured: Dist = {
    val dist = Dist.patched.placedIn(scratch.resolve("sealed"))
    val lines = encrypted.map { case (key, value) => s"$key $value" }
    Files.write(dist.home.resolve("conf/spark-defaults.conf"), lines.asJava)
    dist
  }

  private def scratchful(master: String, files: Path, settings: (String, String)*): Submit =
    Submit(secured, master, "Scratchful", plain ++ settings, Seq(files.toString))

  /** Encrypts nothing. */
  private def open: Submit = {
    val files = directory("open")
    val here = "spark.local.dir" -> files.toString
    scratchful("local[2]", files, unencrypted :+ here: _*)
  }

  test("what is encrypted has the same result, and no scratch file can be read as text") {
    Closing(new StandaloneCluster(secured, directory("cluster"), Nil, 1, OneWorker)) { cluster =>
      val runs = InTurn(scratch)(
        "open" -> open,
        "sealed" -> scratchful(cluster.url, cluster.daemons.work, "spark.executor.cores" -> "1")
      )
      PatchReport.assertPatched(runs("open"), "driver")
      PatchReport.assertPatched(runs("sealed"), "0", "1", "driver")
      for ((name, run) <- runs; kind <- Seq("blocks", "shuffles", "spills")) {
        val Found(files, marked) = Apps.result(run, kind)
        assert(files.toInt > 0, run)
        // Without encryption the same look finds the word, or it would prove nothing.
        assert((marked.toInt > 0) == (name == "open"), s"$kind in $run")
      }
      assert(runs.values.map(Apps.result(_, "result")).toSet.size == 1, runs)
    }
  }
}

object EncryptionSuite {

  private val Found = "Found\\((\\d+),(\\d+)\\)".r

  private val encrypted = Seq(
    "spark.authenticate" -> "true",
    "spark.authenticate.secret" -> "of this test",
    "spark.network.crypto.enabled" -> "true",
    "spark.io.encryption.enabled" -> "true"
  )

  private val unencrypted = encrypted.collect { case (key, "true") => key -> "false" }

  /** Which has room for both executors. */
  private val OneWorker = Map("SPARK_WORKER_CORES" -> "2", "SPARK_WORKER_MEMORY" -> "2g")

  /** Compression hides a word, too; and few records must spill. */
  private val plain = Seq(
    "spark.shuffle.compress" -> "false",
    "spark.shuffle.spill.compress" -> "false",
    "spark.shuffle.spill.numElementsForceSpillThreshold" -> "1000"
  )
}
