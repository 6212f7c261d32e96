package org.apache.spark.hpc.report

import org.apache.spark.SparkContext
import org.apache.spark.hpc.profile.DriverObserver
import org.apache.spark.internal.config.Status.{MAX_RETAINED_DEAD_EXECUTORS, MAX_RETAINED_STAGES}
import org.sparkhpc.report.{HtmlReport, PrometheusText, Run}

/** Shows the report of a running application in its web page, and executors' figures to Prometheus. */
final class LiveReport extends DriverObserver {
  override def start(sc: SparkContext): Unit =
    for (ui <- sc.ui) {
      val listener = new RunListener(new Run(
        sc.conf.get(MAX_RETAINED_STAGES),
        sc.conf.get(MAX_RETAINED_DEAD_EXECUTORS)
      ))
      sc.addSparkListener(listener)
      ui.attachTab(new ReportTab(ui, () => listener.read(HtmlReport.body)))
      TextPage.attach(
        ui,
        LiveReport.Figures,
        PrometheusText.ContentType,
        () => listener.read(PrometheusText.of)
      )
    }
}

private object LiveReport {
  private val Figures = "/metrics/hpc/prometheus"
}
