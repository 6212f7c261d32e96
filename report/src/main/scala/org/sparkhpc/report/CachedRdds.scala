package org.sparkhpc.report

import scala.collection.mutable

/** What happened to the cached blocks of each RDD, on all executors. Not thread-safe.
  *
  * @param most the number of RDDs that are kept; the oldest are forgotten
  */
final class CachedRdds(most: Int) {
  import CachedRdds._

  private val byId = mutable.LinkedHashMap.empty[Int, RddFigures]

  /** A stage that needs this cached RDD was submitted. */
  def seen(id: Int, name: String): Unit = {
    if (!byId.contains(id) && byId.size >= most) byId -= byId.head._1
    byId(id) = byId.getOrElse(id, RddFigures(id)).copy(name = name)
  }

  /** Adds figures of an executor, of which others are ignored. */
  def add(figures: Map[String, Double]): Unit = figures.foreach {
    case (Figure(Id(id), what), value) =>
      val its = byId.getOrElse(id, RddFigures(id))
      val sum = what match {
        case "written" => its.copy(written = its.written + value.toLong)
        case "readBack" => its.copy(readBack = its.readBack + value.toLong)
        case _ => its.copy(again = its.again + value.toLong)
      }
      if (byId.contains(id) || byId.size < most) byId(id) = sum
    case _ =>
  }

  /** Those whose blocks did not all stay in memory, by their ids. */
  def short: Seq[RddFigures] =
    byId.values.filter(its => its.written + its.readBack + its.again > 0).toSeq.sortBy(_.id)
}

object CachedRdds {
  private val Figure = """rdd\.(\d+)\.(written|readBack|again)""".r

  private object Id {
    def unapply(digits: String): Option[Int] = scala.util.Try(digits.toInt).toOption
  }

  /** What people recognize an RDD by: the name that the program gave it, and where it was made. */
  def name(given: String, madeAt: String): String =
    // GraphX names an RDD once more each time that it is cached.
    (given.split(", ").distinct :+ madeAt).filter(_.nonEmpty).mkString(", ")

  /** Whether a figure of an executor is one of these. */
  private[report] def isFigure(name: String): Boolean = name.startsWith("rdd.")
}

/** @param written bytes of blocks that were written to disk
  * @param readBack bytes of blocks that were read from there
  * @param again blocks that were computed again where they had been computed before
  */
final case class RddFigures(
    id: Int,
    name: String = "",
    written: Long = 0,
    readBack: Long = 0,
    again: Long = 0
)
