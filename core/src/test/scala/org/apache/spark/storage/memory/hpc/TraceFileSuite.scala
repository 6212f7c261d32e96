package org.apache.spark.storage.memory.hpc

import java.nio.file.{Files, Path}
import java.nio.file.attribute.PosixFilePermissions

import scala.collection.JavaConverters._

import org.apache.spark.SparkConf
import org.apache.spark.storage.Scratchful
import org.scalatest.concurrent.Eventually._
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._
import org.sparkhpc.retain.trace.{TraceEvent, TraceReader}

class TraceFileSuite extends AnyFunSuite with Scratchful {

  /** Writes a trace of one event, in such a directory. */
  private def write(folder: Path): Path = {
    val conf = new SparkConf(false).set("spark.app.id", "app")
    val trace = new TraceFile(folder.toString, conf, () => "7")
    trace.record(TraceEvent.Forgotten(1))
    trace.end()
    folder.resolve("app-7.trace")
  }

  test("only its user can read it, whatever the umask") {
    below { folder =>
      val file = write(folder)
      val mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
      assert(mode == "rw-------")
      assert(Files.size(file) > 0)
    }
  }

  test("an executor that is killed leaves the events before") {
    below { folder =>
      val conf = new SparkConf(false).set("spark.app.id", "app")
      val trace = new TraceFile(folder.toString, conf, () => "7")
      trace.record(TraceEvent.Forgotten(1))
      eventually(timeout(1.minute)) {
        val in = Files.newInputStream(folder.resolve("app-7.trace"))
        try assert(new TraceReader(in).next() == TraceEvent.Forgotten(1))
        finally in.close()
      }
      trace.end()
    }
  }

  test("what stands there already is neither written to nor followed") {
    below { folder =>
      val precious = Files.write(folder.resolve("precious"), "of the user".getBytes)
      for (target <- Seq(precious, folder.resolve("new"))) {
        val link = Files.createSymbolicLink(folder.resolve("app-7.trace"), target)
        write(folder)
        assert(new String(Files.readAllBytes(precious)) == "of the user")
        assert(!Files.exists(folder.resolve("new")))
        Files.delete(link)
      }
      val file = Files.write(folder.resolve("app-7.trace"), "of another".getBytes)
      write(folder)
      assert(Files.readAllLines(file).asScala == Seq("of another"))
      eventually(timeout(1.minute)) {
        assert(!Thread.getAllStackTraces.keySet.asScala.exists(_.getName == "spark-hpc-trace"))
      }
    }
  }
}
