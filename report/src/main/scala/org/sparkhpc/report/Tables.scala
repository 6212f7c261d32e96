package org.sparkhpc.report

import org.sparkhpc.report.Words.bytes

/** A table of a report.
  *
  * @param note what its rows are
  */
final case class Table(title: String, note: String, header: Seq[String], rows: Seq[Seq[String]])

/** What executors' figures say of scratch tiers, routes, open files, cached blocks and cached RDDs, and what tasks' say of
  * their requests.
  */
private[report] object Tables {

  /** Those tables that have rows. */
  def of(run: Run): Seq[Table] = {
    val history = run.history
    Seq(
      RequestTable.of(run.stages, run.driverRequests),
      tiers(history),
      routes(history),
      files(history),
      retention(history),
      rdds(run.rdds),
      LustreTable.of(run)
    ).filter(_.rows.nonEmpty)
  }

  private val TierName = """(\d+)\.(.*)\.(\w+)""".r

  /** Number and label of each scratch tier, the first tier first. */
  def tiersOf(history: ExecutorHistory): Seq[(Int, String)] =
    history
      .names("scratch.")
      .collect { case TierName(number, label, "capacity") => (number.toInt, label) }
      .toSeq
      .sorted

  private def tiers(history: ExecutorHistory): Table = {
    val rows = for ((number, label) <- tiersOf(history)) yield {
      def sum(figure: String) = history.sum(s"scratch.$number.$label.$figure")
      val capacity = sum("capacity")
      val limit = if (capacity < Long.MaxValue.toDouble) bytes(capacity.toLong) else "no limit"
      Seq(label, limit, bytes(sum("used").toLong)) ++
        Seq("files", "overflows", "failures", "slow").map(figure => count(sum(figure))) ++
        Seq("create", "open", "read", "write", "delete").map(operation(
          history,
          s"scratch.$number.$label",
          _
        ))
    }
    Table(
      "Scratch tiers",
      "Sums over all executors, as they were last. Operations: number, the slowest executor's median and 99th percentile of the " +
        "last 1,024, and the longest of them.",
      Seq(
        "tier",
        "capacity",
        "used",
        "files",
        "overflows",
        "failed writes",
        "passed over as slow",
        "create",
        "open",
        "read",
        "write",
        "delete"
      ),
      rows
    )
  }

  private def routes(history: ExecutorHistory): Table = {
    val rows =
      for {
        (route, name) <- Seq("direct" -> "shared file system", "network" -> "executor that wrote")
        if history.sum(s"shuffle.$route.blocks") > 0
      } yield Seq(
        name,
        count(history.sum(s"shuffle.$route.blocks")),
        bytes(history.sum(s"shuffle.$route.bytes").toLong),
        operation(history, s"shuffle.$route", "requests")
      )
    Table(
      "Routes to map outputs",
      s"${count(history.sum("shuffle.fallbacks"))} requests fell back to the other route; ${count(history.sum("shuffle.switches"))} " +
        "took it at once, because their own had been slow. Requests: number, median, 99th percentile, longest.",
      Seq("from", "blocks", "bytes", "requests"),
      rows
    )
  }

  private def files(history: ExecutorHistory): Table = {
    val rows =
      for {
        (pool, name) <- Seq("pool" -> "scratch files", "files" -> "the application's files")
        hits = history.sum(s"$pool.hits")
        opens = history.sum(s"$pool.opens")
        if hits + opens > 0
      } yield Seq(
        name,
        count(opens),
        count(hits),
        count(history.sum(s"$pool.evictions")),
        count(history.sum(s"$pool.waits"))
      )
    Table(
      "Open files",
      "A hit is a read that needed no open. An executor waits when the pool is full of files in use.",
      Seq("files", "opens", "hits", "closed for others", "waits"),
      rows
    )
  }

  private def retention(history: ExecutorHistory): Table = {
    val rows = history.names("retention.").toSeq.sorted.filterNot(_.contains(".")).map { figure =>
      val sum = history.sum(s"retention.$figure")
      Seq(figure, if (figure.endsWith("Bytes")) bytes(sum.toLong) else count(sum))
    }
    Table("Cached blocks", "Sums over all executors.", Seq("figure", "sum"), rows)
  }

  private def rdds(rdds: CachedRdds): Table = {
    val short = rdds.short
    val rows = short.sortBy(its => -(its.written + its.readBack)).take(MostRdds).sortBy(_.id).map {
      its =>
        val moved = Seq(bytes(its.written), bytes(its.readBack))
        Seq(its.name, its.id.toString) ++ moved :+ count(its.again.toDouble)
    }
    Table(
      "Cached RDDs that did not stay in memory",
      s"${rows.size} of ${short.size}, in the order in which the program made them: that of its iterations. A block is " +
        "counted as computed again where an executor had computed it before.",
      Seq("RDD", "id", "written", "read back", "computed again"),
      rows
    )
  }

  private val MostRdds = 50

  private def operation(history: ExecutorHistory, prefix: String, kind: String): String = {
    val number = history.sum(s"$prefix.$kind.count")
    if (number == 0) "0"
    else {
      def worst(figure: String) =
        Words.millis(history.last.values.flatMap(_.get(s"$prefix.$kind.$figure")).max)
      s"${count(number)}: ${worst("median")}, ${worst("p99")}, ${worst("max")}"
    }
  }

  private def count(number: Double): String = Words.count(math.round(number))
}
