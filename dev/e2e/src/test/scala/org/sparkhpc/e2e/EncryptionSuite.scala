package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite

import scala.collection.JavaConverters._

/** A standalone cluster with authentication, encrypted traffic and encrypted scratch files. */
class EncryptionSuite extends AnyFunSuite with Scratch {
  import EncryptionSuite._

  /** A distribution whose daemons and applications all have these settings. */
  private def secured(name: String, settings: Map[String, String]): Dist = {
    val dist = Dist.patched.placedIn(scratch.resolve(name))
    val lines = settings.map { case (key, value) => s"$key $value" }
    Files.write(dist.home.resolve("conf/spark-defaults.conf"), lines.toSeq.asJava)
    dist
  }

  private def scratchful(dist: Dist, master: String, files: Path): Run =
    Submit(dist, master, "Scratchful", settings = plain, args = Seq(files.toString)).run(scratch)

  test("what is encrypted has the same result, and no scratch file can be read as text") {
    val results =
      for ((name, settings) <- Seq("open" -> Map.empty[String, String], "sealed" -> all))
        yield {
          val dist = secured(name, settings)
          Closing(new StandaloneCluster(dist, directory(s"$name-cluster"))) { cluster =>
            val run = scratchful(dist, cluster.url, cluster.daemons.work)
            PatchReport.assertPatched(run, "0", "1", "driver")
            for (kind <- Seq("blocks", "shuffles", "spills")) {
              val Found(files, marked) = Apps.result(run, kind)
              assert(files.toInt > 0, run)
              // Without encryption the same look finds the word, or it would prove nothing.
              assert((marked.toInt > 0) == (name == "open"), s"$kind in $run")
            }
            Apps.result(run, "result")
          }
        }
    assert(results.distinct.size == 1)
  }
}

object EncryptionSuite {

  private val Found = "Found\\((\\d+),(\\d+)\\)".r

  private val all = Map(
    "spark.authenticate" -> "true",
    "spark.authenticate.secret" -> "of this test",
    "spark.network.crypto.enabled" -> "true",
    "spark.io.encryption.enabled" -> "true"
  )

  /** Compression hides a word, too; and few records must spill. */
  private val plain = Seq(
    "spark.shuffle.compress" -> "false",
    "spark.shuffle.spill.compress" -> "false",
    "spark.shuffle.spill.numElementsForceSpillThreshold" -> "1000"
  )
}
