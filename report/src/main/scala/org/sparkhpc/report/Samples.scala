package org.sparkhpc.report

/** The samples of a task's thread, as patched executors write them to the event log. */
object Samples {

  /** The name of the accumulable of a task whose update has the samples, and its requests ([[RequestFigures]]). */
  val Accumulable = "spark.hpc.profile"

  /** Reads the cells `PURPOSE/ACTIVITY=COUNT` of an update; what is not of this form counts as no sample. */
  def parse(update: String): Map[String, Int] = cells(update, '/')

  private[report] def cells(update: String, mark: Char): Map[String, Int] =
    update.split(',').iterator.map(_.split('=')).collect {
      case Array(cell, Whole(count)) if cell.indexOf(mark.toInt) > 0 => cell -> count.toInt
    }.toMap

  private val Whole = "([0-9]{1,9})".r
}
