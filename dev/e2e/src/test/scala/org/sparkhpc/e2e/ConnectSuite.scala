package org.sparkhpc.e2e

import java.net.{InetAddress, ServerSocket}

import org.scalatest.funsuite.AnyFunSuite

/** The Spark Connect server on two executors, asked by pip's client, which needs no Spark. */
class ConnectSuite extends AnyFunSuite with Scratch {
  import ConnectSuite._

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))

  private def start(daemons: Daemons, master: String, port: Int): Run = daemons.script(
    "start-connect-server.sh",
    "--master",
    master,
    "--conf",
    "spark.ui.enabled=false",
    "--conf",
    "spark.sql.shuffle.partitions=4",
    "--jars",
    dist.examplesJar.toString,
    "--conf",
    s"spark.connect.grpc.binding.port=$port"
  )

  test("a Python client's queries and UDFs run on patched executors") {
    val env = Map("PYSPARK_PYTHON" -> PythonEnvironment.python)
    Closing(new Daemons(dist, directory("connect"), env)) { daemons =>
      val started = start(daemons, "local-cluster[2,1,1024]", 0)
      assert(started.exit == 0, started)
      val port = daemons.said(server, "Spark Connect server started at: \\S+:(\\d+)".r)

      val client = PythonEnvironment.script("connect_client.py")
      val run = Run(Seq(PythonEnvironment.python, client, s"sc://127.0.0.1:$port"), scratch)
      assert(run.exit == 0, run)
      assert(PythonResults.of(run).values == expected, run)
      val executors = PatchReport.of(run.out).map(_.executor)
      assert(executors.nonEmpty && executors.forall(Set("0", "1")), run)
      PatchReport.assertPatched(run, executors: _*)

      val stopped = daemons.script("stop-connect-server.sh")
      assert(stopped.exit == 0, stopped)
      assert(daemons.pidFiles.isEmpty)
    }
  }

  test("a server whose port is taken is reported with the end of its log, and with exit code 1") {
    Closing(new ServerSocket(0, 1, InetAddress.getByName("0.0.0.0"))) { taken =>
      Closing(new Daemons(dist, directory("taken"))) { daemons =>
        val started = start(daemons, "local[1]", taken.getLocalPort)
        assert(started.exit == 1, started)
        assert(started.err.contains("failed to launch"), started)
        assert(daemons.log(server).contains("Address already in use"))
        assert(daemons.pidFiles.isEmpty)
      }
    }
  }
}

object ConnectSuite {
  private val server = "SparkConnectServer"

  private val expected = Map(
    "session" -> "pyspark.sql.connect.session",
    "shuffle" -> "[71071, 71214, 71357]",
    "udf" -> "332833500",
    "udf.pandas" -> "249750.0",
    "arrow" -> "499500"
  )
}
