package org.apache.spark.examples.hpc

import scala.collection.mutable

/** The rows of a notebook's data sets, each from the seed, its data set's version and its own number.
  *
  * Every second data set is dear to compute: the sums by key of four times as many rows.
  */
final class NotebookData(rows: Long, seed: Long) extends Serializable {
  import NotebookData._

  def isSummed(dataset: Int): Boolean = dataset % 2 == 1

  def rowsToRead(dataset: Int): Long = if (isSummed(dataset)) RowsOfSum * rows else rows

  def row(dataset: Int, version: Int, number: Long): (Long, Long) = {
    val random = new Draws(Checksum.hash(seed, dataset.toLong, version.toLong)).of(number)
    val key = if (isSummed(dataset)) random.nextLong(rows) else number
    (key, random.nextInt(1000000).toLong)
  }

  /** Which of [[NotebookScript.Parts]] a row of a data set belongs to. */
  def part(row: (Long, Long)): Int = (row._1 % NotebookScript.Parts).toInt

  /** What each part comes to, found without Spark. */
  def onDriver(dataset: Int, version: Int): Seq[Checksum] = {
    val read = Iterator.iterate(0L)(_ + 1).takeWhile(_ < rowsToRead(dataset))
      .map(row(dataset, version, _))
    val found = Array.fill(NotebookScript.Parts)(Checksum.Empty)
    val all = if (isSummed(dataset)) sums(read) else read
    all.foreach(row => found(part(row)) += hash(row))
    found.toSeq
  }

  private def sums(rows: Iterator[(Long, Long)]): Iterator[(Long, Long)] = {
    val sums = mutable.LongMap.empty[Long]
    rows.foreach { case (key, value) => sums(key) = sums.getOrElse(key, 0L) + value }
    sums.iterator
  }
}

object NotebookData {
  private val RowsOfSum = 4L

  def hash(row: (Long, Long)): Long = Checksum.hash(row._1, row._2)
}
