package org.apache.spark.hpc.report

import javax.servlet.http.HttpServletRequest

import scala.xml.{Node, NodeSeq}

import org.apache.spark.ui.{SparkUI, SparkUITab, UIUtils, WebUIPage}

/** The tab Spark-HPC of an application's web page, with the same content as the page that `spark-hpc report --html` writes.
  *
  * @param body makes the content; called for each request
  */
private[report] final class ReportTab(ui: SparkUI, body: () => NodeSeq)
    extends SparkUITab(ui, "spark-hpc") {
  override val name: String = "Spark-HPC"

  attachPage(new WebUIPage("") {
    override def render(request: HttpServletRequest): Seq[Node] =
      UIUtils.headerSparkPage(request, "Where the time went", body(), ReportTab.this)
  })
}
