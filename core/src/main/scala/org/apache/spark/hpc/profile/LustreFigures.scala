package org.apache.spark.hpc.profile

import java.nio.file.{Path, Paths}

/** What all programs of this node have asked of its Lustre client, since this object was made:
  *
  *  - `lustre.KIND`: the number of calls of each kind, such as `open`, `getattr` or `read_bytes`
  *  - `lustre.KIND.sum`: their bytes, or else their duration in microseconds, if the client counts it
  *
  * These are Lustre's `llite` statistics. Newer versions of Lustre let only root read them; then there are no figures.
  *
  * @param places directories that may have a directory for each mounted Lustre
  */
private[profile] final class LustreFigures(places: Seq[Path]) {
  import LustreFigures._

  private val before = counts()

  def now(): Map[String, Double] = {
    val since = counts().toSeq.flatMap { case (counter, count) =>
      // Somebody may have cleared the statistics.
      val more = count - before.getOrElse(counter, 0.0)
      if (more > 0) Some(counter.figure -> more) else None
    }
    since.groupBy(_._1).map { case (figure, its) => figure -> its.map(_._2).sum }
  }

  private def counts(): Map[Counter, Double] =
    (for {
      place <- places
      mount <- Option(place.toFile.listFiles).toSeq.flatten.map(_.toPath)
      line <- ProcessFigures.lines(mount.resolve("stats"))
      (figure, count) <- figures(line)
    } yield Counter(mount, figure) -> count).toMap
}

private[profile] object LustreFigures {

  val OfNode: Seq[Path] =
    Seq("/proc/fs/lustre/llite", "/sys/kernel/debug/lustre/llite").map(Paths.get(_))

  private final case class Counter(mount: Path, figure: String)

  // KIND COUNT samples [UNIT] MIN MAX SUM SUM-OF-SQUARES. In older versions, the lines of some kinds end after the unit.
  private val Line = """(\w+)\s+(\d+) samples \[\w+\](?:\s+\d+\s+\d+\s+(\d+))?.*""".r

  private def figures(line: String): Seq[(String, Double)] = line match {
    case Line(kind, count, sum) =>
      Seq(s"lustre.$kind" -> count.toDouble) ++
        Option(sum).map(its => s"lustre.$kind.sum" -> its.toDouble)
    case _ => Seq.empty
  }
}
