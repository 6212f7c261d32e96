package org.apache.spark.hpc.report

import java.net.URL
import java.nio.charset.StandardCharsets.UTF_8

import scala.xml.XML

import com.google.common.io.Resources
import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._

import org.apache.spark.{SparkConf, SparkContext}

/** The tab of a running application. */
class ReportTabSuite extends AnyFunSuite with Eventually {
  implicit override val patienceConfig: PatienceConfig = PatienceConfig(60.seconds, 100.millis)

  private def withPages[A](settings: (String, String)*)(test: SparkContext => A): A = {
    val conf = new SparkConf()
      .setMaster("local[2]")
      .setAppName("<shown>")
      .set("spark.ui.enabled", "true")
      .set("spark.ui.port", "0")
      .setAll(settings)
    val sc = new SparkContext(conf)
    try test(sc)
    finally sc.stop()
  }

  private def tab(sc: SparkContext): String =
    Resources.toString(new URL(s"${sc.uiWebUrl.get}/spark-hpc/"), UTF_8)

  test("the tab shows the stages until now, the conclusion, and a chart of memory") {
    withPages() { sc =>
      assert(tab(sc).contains("No bottleneck was found"))
      sc.setCallSite("first <stage>")
      sc.parallelize(1 to 100, 8).map(i => (i % 3, i)).groupByKey(4).count()
      eventually {
        val page = tab(sc)
        assert(page.contains("first &lt;stage&gt;"))
        assert(page.contains("id=\"hpc-conclusion\""))
        assert(page.contains("hpc-part hpc-"))
        assert(page.contains("new uPlot") && page.contains("\"names\":[\"heap\""))
      }
      val others = Resources.toString(new URL(s"${sc.uiWebUrl.get}/jobs/"), UTF_8)
      assert(others.contains("/spark-hpc/\">Spark-HPC</a>"), others)
    }
  }

  test("Prometheus gets the figures of the executors") {
    withPages() { sc =>
      sc.parallelize(1 to 4, 4).count()
      val address = new URL(s"${sc.uiWebUrl.get}/metrics/hpc/prometheus/")
      eventually {
        val labels = s"""application="${sc.applicationId}",executor="driver""""
        val text = Resources.toString(address, UTF_8)
        assert(text.contains(s"spark_hpc_process_heap{$labels") && text.contains(
          s"spark_hpc_pool_bound{$labels"
        ))
      }
      assert(address.openConnection().getContentType.startsWith("text/plain"))
    }
  }

  test("of many stages, the tab keeps the last ones, and the sums of all") {
    withPages("spark.ui.retainedStages" -> "5") { sc =>
      for (round <- 1 to 20) {
        sc.setCallSite(s"round $round.")
        sc.parallelize(1 to 4, 4).foreach(_ => Thread.sleep(20))
      }
      eventually(assert(tab(sc).contains("round 20.")))
      assert(!tab(sc).contains("round 10."))
      // 80 tasks of 20 ms.
      val parts = "(?:wait|compute|scheduler|load task|GC)[^<]*, ([0-9.]+) s</li>".r
      val shown = parts.findAllMatchIn(tab(sc)).map(_.group(1).toDouble).sum
      assert(shown >= 1.5, tab(sc))
    }
  }

  test("the content is well-formed, so that a name of the user's program can't break the page") {
    withPages() { sc =>
      sc.setCallSite("</table><script>alert(1)</script>")
      sc.parallelize(1 to 4, 4).count()
      eventually(assert(tab(sc).contains("alert(1)")))
      val page = tab(sc)
      assert(!page.contains("<script>alert(1)"))
      val stages = page.substring(
        page.indexOf("<h3>Stages</h3>"),
        page.indexOf("</table></div>") + "</table></div>".length
      )
      XML.loadString(s"<div>$stages</div>")
    }
  }
}
