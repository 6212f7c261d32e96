package org.sparkhpc.e2e

import java.net.URI
import java.net.http.{HttpClient, HttpRequest, HttpResponse}
import java.nio.file.Files

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import org.scalatest.funsuite.AnyFunSuite

import scala.collection.JavaConverters._

/** The History Server on the event log of a run. */
class HistoryServerSuite extends AnyFunSuite with Scratch {

  private val client = HttpClient.newHttpClient()

  private def page(url: String): String = {
    val request = HttpRequest.newBuilder(URI.create(url)).build()
    val response = client.send(request, HttpResponse.BodyHandlers.ofString())
    assert(response.statusCode == 200, response.body)
    response.body
  }

  private def get(url: String): JsonNode = new ObjectMapper().readTree(page(url))

  private def server(events: String): Daemons = {
    val options = Map("fs.logDirectory" -> events, "fs.update.interval" -> "1s", "ui.port" -> "0")
    val opts = options.map { case (key, value) => s"-Dspark.history.$key=$value" }
    new Daemons(Dist.patched, directory("history"), Map("SPARK_HISTORY_OPTS" -> opts.mkString(" ")))
  }

  test("a run on patched executors is found, with its executors and its patched jar") {
    val dist = Dist.patched.placedIn(scratch.resolve("dist"))
    val events = directory("events").toUri.toString
    val run = Run(
      Seq(
        dist.bin("run-example"),
        "--master",
        "local-cluster[2,1,1024]",
        "--conf",
        "spark.ui.enabled=false",
        "--conf",
        "spark.eventLog.enabled=true",
        "--conf",
        s"spark.eventLog.dir=$events",
        "--name",
        "remembered",
        "hpc.PatchCheck",
        "--executors",
        "2"
      ),
      scratch
    )
    PatchReport.assertPatched(run, "0", "1", "driver")

    Closing(server(events)) { daemons =>
      val started = daemons.script("start-history-server.sh")
      assert(started.exit == 0, started)
      val port = daemons.said("HistoryServer", "service 'HistoryServerUI' on port (\\d+)".r)
      val api = s"http://127.0.0.1:$port/api/v1/applications"

      val application = Patience.until("application in the history") {
        get(api).elements().asScala.toSeq.headOption
      }(daemons.log("HistoryServer"))
      assert(application.get("name").asText == "remembered")

      val id = application.get("id").asText
      val executors = get(s"$api/$id/allexecutors").elements().asScala.map(_.get("id").asText)
      assert(executors.toSet == Set("0", "1", "driver"))
      val classPath = get(s"$api/$id/environment").get("classpathEntries").toString
      assert(classPath.contains(s"spark-core_2.12-${Dist.version}.jar"))

      // The tab is there, twice: what was replayed is stored.
      for (_ <- 1 to 2) {
        val report = page(s"http://127.0.0.1:$port/history/$id/spark-hpc/")
        assert(report.contains("id=\"hpc-conclusion\"") && report.contains("hpc-part hpc-compute"))
      }

      daemons.stop("stop-history-server.sh"): Unit
    }
  }

  test("one that dies at once is reported with the end of its log, and with exit code 1") {
    val nowhere = scratch.resolve("no-such-directory").toUri.toString
    assert(Files.notExists(scratch.resolve("no-such-directory")))
    Closing(server(nowhere)) { daemons =>
      val started = daemons.script("start-history-server.sh")
      assert(started.exit == 1, started)
      assert(started.err.contains("failed to launch"), started)
      assert(started.err.contains("FileNotFoundException"), started)
      assert(daemons.pidFiles.isEmpty)
    }
  }
}
