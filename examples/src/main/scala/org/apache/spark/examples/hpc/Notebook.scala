package org.apache.spark.examples.hpc

import scala.collection.mutable

import scopt.OParser

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.apache.spark.storage.StorageLevel

/** A session with a notebook: cached data sets, and many small jobs that come back to some of them
  * more often than to others ([[NotebookScript]]).
  */
object Notebook extends WithoutFiles[NotebookOptions] {
  import NotebookScript._
  import builder._

  /** A data set's version, a part of it, and what the session found there. */
  private[hpc] final case class Finding(dataset: Int, version: Int, part: Int, found: Checksum)

  override protected def label: String = "notebook"
  override protected def defaults: NotebookOptions = NotebookOptions()

  override private[hpc] def work(
      spark: SparkSession,
      o: NotebookOptions,
      phases: Phases
  ): Outcome = {
    val session = new Session(spark.sparkContext, o)
    phases("load")(session.load())
    val findings = phases("cells")(cells(o.datasets, o.cells, o.seed).flatMap(session.run))
    check(o, findings)
    Outcome.checked(
      "datasets" -> o.datasets,
      "rows" -> o.rows,
      "cells" -> o.cells,
      "answers" -> findings.size
    )
  }

  private final class Session(sc: SparkContext, o: NotebookOptions) {
    private val level = StorageLevel.fromString(o.storageLevel)
    private val data = o.data
    private val versions = Array.fill(o.datasets)(0)
    private val loaded = new Array[RDD[(Long, Long)]](o.datasets)

    // As a notebook's variables: what they name isn't cleaned away.
    private val kept = mutable.Buffer.empty[RDD[(Long, Long)]]

    def load(): Unit = loaded.indices.foreach(read)

    def run(cell: Cell): Option[Finding] = cell match {
      case Ask(dataset, part) =>
        Some(finding(dataset, part, partOf(dataset, part)))
      case KeepPart(dataset, part) =>
        kept += partOf(dataset, part).persist(level)
        Some(finding(dataset, part, kept.last))
      case Reload(dataset) =>
        loaded(dataset).unpersist()
        versions(dataset) += 1
        read(dataset)
        None
    }

    private def read(dataset: Int): Unit = {
      val (data, version) = (this.data, versions(dataset))
      val rows = sc.range(0, data.rowsToRead(dataset), numSlices = o.partitions)
        .map(data.row(dataset, version, _))
      val its = if (data.isSummed(dataset)) rows.reduceByKey(_ + _, o.partitions) else rows
      loaded(dataset) = its.persist(level)
      its.count()
    }

    private def partOf(dataset: Int, part: Int): RDD[(Long, Long)] = {
      val data = this.data
      loaded(dataset).filter(data.part(_) == part)
    }

    private def finding(dataset: Int, part: Int, rows: RDD[(Long, Long)]): Finding =
      Finding(dataset, versions(dataset), part, Checksum.of(rows.map(NotebookData.hash)))
  }

  private[hpc] def check(o: NotebookOptions, findings: Seq[Finding]): Unit =
    for (((dataset, version), its) <- findings.groupBy(f => (f.dataset, f.version))) {
      val expected = o.data.onDriver(dataset, version)
      for (Finding(_, _, part, found) <- its)
        Answer.equal(s"part $part of data set $dataset.$version", expected(part), found)
    }

  override protected val syntax: OParser[_, NotebookOptions] = OParser.sequence(
    programName("Notebook"),
    head("A session with a notebook: small jobs that come back to cached data sets"),
    count("datasets", 1).action((x, o) => o.copy(datasets = x)).text("default 6"),
    amount("rows", 10).action((x, o) => o.copy(rows = x)).text("of a data set; default 20000"),
    count("cells", 1).action((x, o) => o.copy(cells = x)).text("default 60"),
    count("partitions", 1).action((x, o) => o.copy(partitions = x)).text("default 16"),
    storageLevel.action((x, o) => o.copy(storageLevel = x))
      .text("of all that is cached; default MEMORY_ONLY"),
    seed.action((x, o) => o.copy(seed = x)),
    help("help").text("print this")
  )
}

/** How large the data sets are, and how much is asked of them. */
final case class NotebookOptions(
    datasets: Int = 6,
    rows: Long = 20000,
    cells: Int = 60,
    partitions: Int = 16,
    storageLevel: String = "MEMORY_ONLY",
    seed: Long = 1
) {

  def data: NotebookData = new NotebookData(rows, seed)
}
