package org.sparkhpc.report

/** The samples of a task's thread, as patched executors write them to the event log. */
object Samples {

  /** The name of the accumulable of a task whose update has the samples. */
  val Accumulable = "spark.hpc.profile"

  /** Reads `PURPOSE/ACTIVITY=COUNT,...`; what is not of this form counts as no sample. */
  def parse(update: String): Map[String, Int] =
    update.split(',').iterator.map(_.split('=')).collect {
      case Array(cell, Whole(count)) if cell.indexOf('/') > 0 => cell -> count.toInt
    }.toMap

  private val Whole = "([0-9]{1,9})".r
}
