package org.sparkhpc.e2e

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

/** What sbin/ does besides starting: refusing, cleaning up, telling. */
class DaemonSuite extends AnyFunSuite with Scratch {

  private val master = "org.apache.spark.deploy.master.Master"

  private def withDaemons(name: String, settings: (String, String)*)(test: Daemons => Unit): Unit =
    Closing(new Daemons(Dist.patched, directory(name), settings.toMap))(test)

  test("a second start is refused, and status tells") {
    withDaemons("twice") { daemons =>
      assert(daemons.script("spark-daemon.sh", "status", master, "1").exit == 2)
      assert(daemons.script("start-master.sh").exit == 0)
      val second = daemons.script("start-master.sh")
      assert(second.exit == 1, second)
      assert(second.err.contains("already runs as process"), second)
      assert(daemons.script("spark-daemon.sh", "status", master, "1").exit == 0)

      val stopped = daemons.stop("stop-master.sh")
      assert(stopped.out.contains(s"stopping $master"), stopped)
    }
  }

  test("stopping what doesn't run says so and is no error") {
    withDaemons("none", "SPARK_WORKER_INSTANCES" -> "2") { daemons =>
      for (
        (script, lines) <-
          Seq("stop-master.sh" -> 1, "stop-worker.sh" -> 2, "stop-history-server.sh" -> 1)
      ) {
        val run = daemons.script(script)
        assert(run.exit == 0, run)
        assert(run.lines.size == lines && run.lines.forall(_.matches("no \\S+ to stop")), run)
      }
    }
  }

  test("a pid file whose process is gone or another's is stale: start and stop get over it") {
    withDaemons("stale") { daemons =>
      val file = directory("stale").resolve(s"pids/spark-e2e-$master-1.pid")
      val others = ProcessHandle.current().pid.toString
      for (pid <- Seq("999999999", others, "not a number", "")) {
        Files.write(file, pid.getBytes(UTF_8))
        val stopped = daemons.script("stop-master.sh")
        assert(stopped.out.contains("to stop") && Files.notExists(file), s"$pid: $stopped")
      }
      Files.write(file, others.getBytes(UTF_8))
      assert(daemons.script("start-master.sh").exit == 0)
      assert(Run.read(file).trim != others)
      assert(daemons.script("stop-master.sh").exit == 0)
    }
  }

  test("logs are rotated up to SPARK_LOG_MAX_FILES") {
    withDaemons("logs", "SPARK_LOG_MAX_FILES" -> "2", "SPARK_MASTER_OPTS" -> "-Xnonsense") {
      daemons =>
        for (_ <- 1 to 4) {
          val run = daemons.script("start-master.sh")
          assert(run.exit == 1 && run.err.contains("-Xnonsense"), run)
        }
        val logs =
          directory("logs").resolve("logs").toFile.list().toSeq.map(_.replaceAll(".*\\.out", ""))
        assert(logs.sorted == Seq("", ".1", ".2"))
    }
  }

  test("in the foreground with SPARK_NO_DAEMONIZE") {
    withDaemons("foreground", "SPARK_NO_DAEMONIZE" -> "", "SPARK_MASTER_OPTS" -> "-Xnonsense") {
      daemons =>
        val run = daemons.script("start-master.sh")
        assert(run.exit == 1 && run.err.contains("-Xnonsense"), run)
        assert(daemons.pidFiles.isEmpty && daemons.log("Master").isEmpty)
    }
  }

  test("a worker without a master's address is a usage line") {
    withDaemons("usage") { daemons =>
      val run = daemons.script("start-worker.sh")
      assert(run.exit == 1 && run.err.startsWith("Usage:"), run)
    }
  }

  test("a directory for logs that can't be made is one line") {
    withDaemons("unwritable", "SPARK_LOG_DIR" -> "/proc/none/logs") { daemons =>
      val run = daemons.script("start-master.sh")
      assert(run.exit == 1 && run.err.linesIterator.size == 1, run)
      assert(run.err.contains("set SPARK_LOG_DIR"), run)
    }
  }
}
