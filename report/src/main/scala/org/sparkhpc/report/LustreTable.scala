package org.sparkhpc.report

/** What the nodes' Lustre clients were asked, by whichever program. */
private[report] object LustreTable {

  def of(run: Run): Table = {
    val hosts = run.executors.map(its => its.id -> its.host).toMap
    // Each executor of a node has the node's counts since it began.
    val nodes = run.history.last.groupBy { case (executor, _) =>
      hosts.getOrElse(executor, executor)
    }
    def sum(figure: String): Long =
      nodes.values.map(_.values.map(_.getOrElse(figure, 0.0)).max).sum.toLong
    val kinds = run.history.names("lustre.").filterNot(_.contains("."))
    val rows = kinds.toSeq.map(kind => (kind, sum(s"lustre.$kind"))).sortBy(-_._2).map {
      case (kind, number) =>
        Seq(kind, Words.count(number), each(kind, sum(s"lustre.$kind.sum"), number))
    }
    Table(
      "Lustre clients",
      "Calls of all programs on the executors' nodes while the executors ran, as Lustre's clients count them (llite). A " +
        "call that a client's cache answers is counted, too.",
      Seq("call", "number", "each"),
      rows
    )
  }

  private def each(kind: String, sum: Long, number: Long): String =
    if (sum == 0 || number == 0) ""
    else if (kind.endsWith("bytes")) Words.bytes(sum / number)
    else Words.millis(sum.toDouble / number / 1000)
}
