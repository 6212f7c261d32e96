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

  /** The tab as a browser shows it: with its bars, and with the chart that its script draws. */
  private def assertShown(url: String, picture: String): Unit = {
    val file = Dist.root.resolve("target/tests").resolve(s"$picture.png")
    val seen = Browser.look(url, scratch, file)
    assert(seen.contains("id=\"hpc-conclusion\"") && seen.contains("hpc-part hpc-compute"))
    assert("(?s)id=\"hpc-memory\">.*<canvas".r.findFirstIn(seen).isDefined, seen)
  }

  /** The tab of a running application, which has figures of its executors. */
  private def assertShownWhileItRuns(application: Started): Unit = {
    val url = Patience.until("address of the web page") {
      "shown at (http://\\S+)".r.findFirstMatchIn(application.said).map(_.group(1))
    }(application.said)
    // The address is the machine's own name, which only this machine's resolver may know.
    val tab = s"http://127.0.0.1:${URI.create(url).getPort}/spark-hpc/"
    Patience.until("chart in the tab")(Some(page(tab)).filter(_.contains("new uPlot")))(page(tab))
    assertShown(tab, "tab")
  }

  test("a browser shows a run on patched executors, while it runs and in the History Server") {
    val dist = Dist.patched.placedIn(scratch.resolve("dist"))
    val events = directory("events").toUri.toString
    val isShown = Files.createFile(scratch.resolve("is-shown"))
    val settings = Seq(
      "spark.ui.enabled=true",
      "spark.ui.port=0",
      "spark.eventLog.enabled=true",
      s"spark.eventLog.dir=$events"
    )
    val command = Submit.quickly(dist) ++ Seq("--master", Submit.LocalCluster) ++
      settings.flatMap(Seq("--conf", _)) :+ PythonEnvironment.script("remembered.py")
    Closing(Started(command :+ isShown.toString, scratch)) { application =>
      assertShownWhileItRuns(application)
      Files.delete(isShown)
      Patience.until("end")(Some(()).filter(_ => !application.isAlive))(application.said)
    }

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
      assertShown(s"http://127.0.0.1:$port/history/$id/spark-hpc/", "history")

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
