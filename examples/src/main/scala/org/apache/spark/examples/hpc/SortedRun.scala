package org.apache.spark.examples.hpc

/** One partition of sorted records in figures: its first and last one, how many stand before a
  * smaller one, and the checksum of all.
  */
final case class SortedRun[K](ends: Option[(K, K)], disorder: Long, records: Checksum)

object SortedRun {

  def of[K](records: Iterator[K])(hash: K => Long)(implicit order: Ordering[K]): SortedRun[K] =
    records.foldLeft(SortedRun[K](None, 0, Checksum.Empty)) { (run, record) =>
      val (first, last) = run.ends.getOrElse((record, record))
      val wrong = if (order.gt(last, record)) 1 else 0
      SortedRun(Some((first, record)), run.disorder + wrong, run.records + hash(record))
    }

  /** The runs one after the other are in order, and are the expected records. */
  def check[K](runs: Seq[SortedRun[K]], expected: Checksum)(implicit order: Ordering[K]): Unit = {
    val ends = runs.flatMap(_.ends)
    val between = ends.zip(ends.drop(1)).count { case ((_, last), (first, _)) =>
      order.gt(last, first)
    }
    Answer.equal("records", expected, runs.map(_.records).fold(Checksum.Empty)(_ ++ _))
    Answer.equal("records before a smaller one", 0L, runs.map(_.disorder).sum + between)
  }
}
