package org.sparkhpc.report

/** The figures of the executors that a run has now, in the text format of Prometheus.
  *
  * A figure `pool.hits` is `spark_hpc_pool_hits{application="...",executor="1",host="..."}`. Of a scratch tier, number and
  * label are labels: `scratch.1.tmpfs.used` is `spark_hpc_scratch_used{...,tier="1",label="tmpfs"}`.
  */
object PrometheusText {
  val ContentType: String = "text/plain; version=0.0.4; charset=utf-8"

  def of(run: Run): String = {
    val tiers = Tables.tiersOf(run.history)
    val samples = for {
      executor <- run.executors if executor.removed.isEmpty
      own = Seq("application" -> run.id, "executor" -> executor.id, "host" -> executor.host)
      (figure, value) <- run.history.last.getOrElse(executor.id, Map.empty[String, Double])
    } yield {
      val (name, more) = named(figure, tiers)
      name -> s"$name{${labels(own ++ more)}} $value"
    }
    // All samples of a metric must follow each other.
    samples.sorted.map(_._2).mkString("", "\n", "\n")
  }

  private def named(figure: String, tiers: Seq[(Int, String)]): (String, Seq[(String, String)]) = {
    val ofTier = tiers.collectFirst {
      case (number, label) if figure.startsWith(s"scratch.$number.$label.") =>
        val rest = figure.stripPrefix(s"scratch.$number.$label.")
        (s"scratch.$rest", Seq("tier" -> s"$number", "label" -> label))
    }
    val (name, more) = ofTier.getOrElse((figure, Seq.empty))
    (s"spark_hpc_$name".replaceAll("[^a-zA-Z0-9_]", "_"), more)
  }

  private def labels(all: Seq[(String, String)]): String =
    all.map { case (name, value) =>
      val escaped = value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n")
      s"""$name="$escaped""""
    }.mkString(",")
}
