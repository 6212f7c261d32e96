package org.apache.spark.hpc.report

import scala.xml.Unparsed

import org.apache.spark.SparkConf
import org.apache.spark.scheduler.SparkListener
import org.apache.spark.status.{AppHistoryServerPlugin, ElementTrackingStore}
import org.apache.spark.ui.SparkUI
import org.apache.spark.util.kvstore.KVIndex
import org.sparkhpc.report.{HtmlReport, Run}

/** Shows the report in the History Server. The History Server replays an event log once, and may show the application later
  * from what it stored, so the content of the tab is stored.
  */
final class LoggedReport extends AppHistoryServerPlugin {

  override def createListeners(conf: SparkConf, store: ElementTrackingStore): Seq[SparkListener] = {
    val listener = new RunListener(new Run)
    store.onFlush {
      val html = listener.read(run =>
        if (run.stages.exists(_.tasks > 0)) Some(HtmlReport.body(run).toString) else None
      )
      html.foreach(body => store.write(new StoredReport(body)))
    }
    Seq(listener)
  }

  override def setupUI(ui: SparkUI): Unit =
    if (ui.store.store.count(classOf[StoredReport]) > 0) {
      def stored = ui.store.store.read(classOf[StoredReport], StoredReport.Key)
      ui.attachTab(new ReportTab(ui, () => Unparsed(stored.html)))
    }
}

/** The content of a finished application's tab. */
private[report] final class StoredReport(val html: String) {
  @KVIndex
  def key: String = StoredReport.Key
}

private[report] object StoredReport {
  val Key = "report"
}
