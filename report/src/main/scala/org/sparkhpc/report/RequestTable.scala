package org.sparkhpc.report

import org.sparkhpc.request.RequestKind

/** The requests of each stage's tasks to file systems and to other executors. */
private[report] object RequestTable {

  /** @param driver the requests of the driver's own threads */
  def of(stages: Seq[StageFigures], driver: RequestFigures): Table = {
    val all = new RequestFigures
    all.add(driver)
    stages.foreach(stage => all.add(stage.requests))
    val made = RequestKind.all.filter(all.count(_) > 0)
    val most = stages.filter(_.requests.millis > 0).sortBy(-_.requests.millis).take(MostStages)
    val ofDriver =
      if (driver.millis > 0) Seq(Seq("the driver", "") ++ cells(driver, made)) else Seq.empty
    val rows =
      most.map(stage => Seq(stage.name.take(28), stage.label) ++ cells(stage.requests, made))
    Table(
      "Requests",
      "Those that go through our own file layer and routes, by stage: number, median, 99th percentile, longest; within 20%. " +
        s"The ${rows.size} stages that waited longest for them. The driver lists input, plans, and commits output.",
      Seq("stage", "id") ++ made.map(title),
      if (made.isEmpty) Seq.empty else (Seq("all", "") ++ cells(all, made)) +: (ofDriver ++ rows)
    )
  }

  private val MostStages = 20

  private def cells(requests: RequestFigures, kinds: Seq[RequestKind]): Seq[String] =
    kinds.map { kind =>
      val number = requests.count(kind)
      def latency(share: Double) = Words.millis(requests.latency(kind, share))
      if (number == 0) ""
      else s"${Words.count(number)}: ${latency(0.5)}, ${latency(0.99)}, ${latency(1)}"
    }

  private def title(kind: RequestKind): String = kind match {
    case RequestKind.Open => "open"
    case RequestKind.Metadata => "other metadata"
    case RequestKind.Read => "read"
    case RequestKind.Write => "write"
    case RequestKind.Direct => "map outputs, shared file system"
    case RequestKind.Network => "map outputs, executors"
  }
}
