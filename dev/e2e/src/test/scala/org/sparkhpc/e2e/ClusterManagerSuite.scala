package org.sparkhpc.e2e

import java.net.ServerSocket

import org.scalatest.funsuite.AnyFunSuite

/** The client of a cluster manager that isn't there: it gets as far as the network, so that no jar of its is missing.
  * [[YarnSuite]] has the client of YARN.
  */
class ClusterManagerSuite extends AnyFunSuite with Scratch {

  private def closedPort(): Int = Closing(new ServerSocket(0))(_.getLocalPort)

  test("Kubernetes") {
    val settings = Seq(
      "spark.kubernetes.container.image=none",
      "spark.kubernetes.submission.connectionTimeout=1000"
    )
    val run = Run(
      Seq(Dist.patched.bin("spark-submit"), "--master") ++
        Seq(s"k8s://https://127.0.0.1:${closedPort()}", "--deploy-mode", "cluster") ++
        settings.flatMap(Seq("--conf", _)) :+ s"local://${PythonEnvironment.script("ends.py")}",
      scratch
    )
    assert(run.exit == 1, run)
    assert(run.err.contains("KubernetesClientException"), run)
    assert(run.err.contains("java.net.ConnectException"), run)
  }
}
