package org.sparkhpc.e2e

import java.net.ServerSocket
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

/** The clients of cluster managers that aren't there: each gets as far as the network, so that no
  * jar of theirs is missing.
  */
class ClusterManagerSuite extends AnyFunSuite with Scratch {

  private def closedPort(): Int = Closing(new ServerSocket(0))(_.getLocalPort)

  private def submit(master: String, env: Map[String, String], conf: String*): Run = {
    val script = PythonEnvironment.script("ends.py")
    val options = conf.flatMap(Seq("--conf", _))
    val mode = Seq("--master", master, "--deploy-mode", "cluster")
    Run(
      (Dist.patched.bin("spark-submit") +: mode) ++ options :+ s"local://$script",
      scratch,
      env
    )
  }

  test("Kubernetes") {
    val run = submit(
      s"k8s://https://127.0.0.1:${closedPort()}",
      Map.empty,
      "spark.kubernetes.container.image=none",
      "spark.kubernetes.submission.connectionTimeout=1000"
    )
    assert(run.exit == 1, run)
    assert(run.err.contains("KubernetesClientException"), run)
    assert(run.err.contains("java.net.ConnectException"), run)
  }

  test("YARN") {
    val conf = directory("yarn")
    val settings = Map(
      "yarn.resourcemanager.address" -> s"127.0.0.1:${closedPort()}",
      "yarn.resourcemanager.connect.max-wait.ms" -> "100",
      "yarn.resourcemanager.connect.retry-interval.ms" -> "100",
      "ipc.client.connect.max.retries" -> "0"
    )
    val properties = settings.map { case (name, value) =>
      s"<property><name>$name</name><value>$value</value></property>"
    }
    val xml = properties.mkString("<configuration>", "\n", "</configuration>")
    Files.write(conf.resolve("yarn-site.xml"), xml.getBytes(UTF_8))
    val run = submit("yarn", Map("HADOOP_CONF_DIR" -> conf.toString))
    assert(run.exit == 1, run)
    assert(run.err.contains("org.apache.spark.deploy.yarn.Client"), run)
    assert(run.err.contains("java.net.ConnectException"), run)
  }
}
