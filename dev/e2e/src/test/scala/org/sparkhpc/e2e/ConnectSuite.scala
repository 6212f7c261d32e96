package org.sparkhpc.e2e

import java.net.{InetAddress, ServerSocket}
import java.nio.file.{Files, Path}
import java.nio.file.StandardCopyOption.REPLACE_EXISTING
import java.nio.file.attribute.PosixFilePermissions

import org.scalatest.funsuite.AnyFunSuite

/** Spark Connect's server, which no distribution has unasked, on an executor of ours: asked by pip's client, which
  * needs no Spark.
  */
class ConnectSuite extends AnyFunSuite with Scratch {
  import ConnectSuite._

  private lazy val dist = withServer(Dist.patched.placedIn(scratch.resolve("dist")))

  /** A distribution whose jars can be added to. Class data made without the server's jar would not fit. */
  private def withServer(dist: Dist): Dist = {
    val jars = dist.home.resolve("jars")
    val linked = jars.toRealPath()
    Files.delete(jars)
    Files.createDirectory(jars)
    for (name <- Dist(linked.getParent).jars)
      Files.createSymbolicLink(jars.resolve(name), linked.resolve(name))
    val added =
      Run(Seq(Dist.root.resolve("dev/add-connect").toString, dist.home.toString), scratch)
    assert(added.exit == 0, added)
    val defaults = "conf/spark-defaults.conf"
    Files.copy(Dist.patched.home.resolve(defaults), dist.home.resolve(defaults), REPLACE_EXISTING)
    dist
  }

  private def client(addresses: String*): Run = python("connect_client.py", addresses: _*)

  private def python(name: String, args: String*): Run =
    Run(Seq(PythonEnvironment.python, PythonEnvironment.script(name)) ++ args, scratch)

  /** What only its owner can read. */
  private def keyOf(file: Path): String = {
    assert(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)) == "rw-------")
    val key = Run.read(file).trim
    assert(key.length == 32)
    key
  }

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

  test(
    "a Python client's queries and UDFs run on a patched executor; without the key it is refused"
  ) {
    val keyFile = directory("key").resolve("connect-key")
    val env =
      Map("PYSPARK_PYTHON" -> PythonEnvironment.python, "SPARK_HPC_CONNECT_KEY" -> keyFile.toString)
    Closing(new Daemons(dist, directory("connect"), env)) { daemons =>
      val started = start(daemons, "local-cluster[1,2,1024]", 0)
      assert(started.exit == 0, started)
      val port = daemons.said(server, "Spark Connect server started at: \\S+:(\\d+)".r)

      val run = client(s"sc://127.0.0.1:$port/;x-spark-hpc-key=${keyOf(keyFile)}")
      assert(run.exit == 0, run)
      assert(PythonResults.of(run).values == expected, run)
      PatchReport.assertPatched(run, "0")

      val refused =
        client(s"sc://127.0.0.1:$port", s"sc://127.0.0.1:$port/;x-spark-hpc-key=wrong")
      assert(refused.exit == 1, refused)
      val errors = refused.err.linesIterator.toSeq
      val first = errors.indexWhere(_.startsWith("refused "))
      assert(first >= 0, refused)
      for (error <- Seq(errors(first), errors.drop(first + 1).mkString("\n"))) {
        assert(error.contains("StatusCode.UNAUTHENTICATED"), refused)
        assert(error.contains("end the address with ;x-spark-hpc-key=KEY"), refused)
      }
      // What it knows without asking anybody.
      val session = "session" -> "pyspark.sql.connect.session"
      assert(PythonResults.of(refused).lines == Seq(session, session), refused)

      val called = python("connect_methods.py", s"127.0.0.1:$port", keyOf(keyFile))
      assert(called.exit == 0, called)
      val codes = PythonResults.of(called).values.mapValues(_.split(' ').toSeq)
      assert(methods.subsetOf(codes.keySet), called)
      codes.foreach { case (method, Seq(without, having)) =>
        assert(without == "UNAUTHENTICATED" && having != without, s"$method in $called")
      }
      assert(!daemons.log(server).contains(keyOf(keyFile)))

      daemons.stop("stop-connect-server.sh"): Unit
    }
  }

  test("a distribution as it is built says that it has no server") {
    val without = Dist.patched.placedIn(scratch.resolve("without"))
    Closing(new Daemons(without, directory("no-server"), Map.empty)) { daemons =>
      val started = start(daemons, "local[1]", 0)
      assert(started.exit == 1, started)
      assert(started.err.contains("jars has no spark-connect_*.jar"), started)
      assert(daemons.pidFiles.isEmpty)
    }
  }

  test("a key that others can read isn't used") {
    val keyFile = Files.write(directory("readable").resolve("key"), "known".getBytes)
    Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-r--r--"))
    val env = Map("SPARK_HPC_CONNECT_KEY" -> keyFile.toString)
    Closing(new Daemons(dist, directory("no-secret"), env)) { daemons =>
      val started = start(daemons, "local[1]", 0)
      assert(started.exit == 1, started)
      assert(started.err.contains(s"$keyFile isn't a file that only you can read"), started)
      assert(daemons.pidFiles.isEmpty)
    }
  }

  test("a server whose port is taken is reported with the end of its log, and with exit code 1") {
    Closing(new ServerSocket(0, 1, InetAddress.getByName("0.0.0.0"))) { taken =>
      val env = Map("SPARK_HPC_CONNECT_KEY" -> directory("taken").resolve("connect-key").toString)
      Closing(new Daemons(dist, directory("taken"), env)) { daemons =>
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

  // Those by which something happens; the client knows all that there are.
  private val methods = Set("ExecutePlan", "AddArtifacts", "Interrupt", "ReattachExecute")

  private val expected = Map(
    "session" -> "pyspark.sql.connect.session",
    "shuffle" -> "[71071, 71214, 71357]",
    "udf" -> "332833500",
    "udf.pandas" -> "249750.0",
    "arrow" -> "499500"
  )
}
