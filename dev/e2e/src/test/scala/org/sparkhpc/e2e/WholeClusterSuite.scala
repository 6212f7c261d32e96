package org.sparkhpc.e2e

import java.net.ServerSocket
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite

/** start-all.sh and stop-all.sh, with a worker on this host and one on another, whose `ssh` is a
  * script of ours that runs here what it is told to run there.
  */
class WholeClusterSuite extends AnyFunSuite with Scratch {

  private def freePort(): Int = Closing(new ServerSocket(0))(_.getLocalPort)

  private def write(file: Path, text: String): Path = Files.write(file, text.getBytes(UTF_8))

  /** Notes its arguments, and runs the last of them with the few variables that ssh would keep. */
  private def fakeSsh(away: Path): Path = {
    val bin = directory("bin")
    val settings = Seq(
      "PATH=/usr/bin:/bin",
      s"JAVA_HOME=${sys.props("java.home")}",
      "SPARK_LOCAL_IP=127.0.0.1",
      "SPARK_WORKER_WEBUI_PORT=0",
      "SPARK_IDENT_STRING=away",
      s"SPARK_WORKER_DIR=$away",
      s"SPARK_PID_DIR=$away",
      s"SPARK_LOG_DIR=$away"
    )
    val ssh = write(
      bin.resolve("ssh"),
      s"""#!/bin/sh
         |echo "$$@" >> $away/asked
         |for last; do :; done
         |exec env -i ${settings.mkString(" ")} sh -c "$$last"
         |""".stripMargin
    )
    ssh.toFile.setExecutable(true)
    bin
  }

  test("workers start on this host without ssh and elsewhere by it, and all of them stop") {
    val dist = Dist.patched.placedIn(scratch.resolve("dist"))
    val away = directory("away")
    val workers =
      write(scratch.resolve("workers"), "# two hosts\nlocalhost\n\nelsewhere  # by ssh\n")
    val port = freePort().toString
    val settings = Map(
      "PATH" -> s"${fakeSsh(away)}:${sys.env("PATH")}",
      "SPARK_WORKERS" -> workers.toString,
      "SPARK_SSH_OPTS" -> "-p 2222 -q",
      "SPARK_MASTER_PORT" -> port,
      "SPARK_WORKER_CORES" -> "1"
    )
    Closing(new Daemons(dist, directory("here"), settings)) { here =>
      try {
        val started = here.script("start-all.sh")
        assert(started.exit == 0, started)
        for (host <- Seq("localhost", "elsewhere"))
          assert(started.out.contains(s"$host: starting org.apache.spark"), started)
        val asked = Run.read(away.resolve("asked"))
        assert(asked.startsWith(s"-p 2222 -q elsewhere env SPARK_HOME=${dist.home} "))

        val registered = "Registering worker 127.0.0.1:(?:\\d+)".r
        Patience.until("two workers")(
          Some(()).filter(_ => registered.findAllIn(here.log("Master")).toSet.size == 2)
        )(here.log("Master"))

        val stopped = here.stop("stop-all.sh")
        assert(stopped.lines.count(_.contains("stopping org.apache.spark")) == 3, stopped)
      } finally {
        val left = here.script("stop-all.sh")
        assert(left.lines.nonEmpty && left.lines.forall(_.contains("to stop")), left)
      }
    }
  }

  test("a host that fails is exit code 1, and a port that the master chooses is refused") {
    val settings = Map("SPARK_MASTER_PORT" -> "0")
    Closing(new Daemons(Dist.patched, directory("refused"), settings)) { daemons =>
      val refused = daemons.script("start-workers.sh")
      assert(refused.exit == 1 && refused.err.contains("SPARK_MASTER_PORT=0"), refused)
      val failed = daemons.script("workers.sh", "false")
      assert(failed.exit == 1, failed)
      assert(daemons.script("workers.sh", "echo", "a b").out == "localhost: a b\n")
    }
  }
}
