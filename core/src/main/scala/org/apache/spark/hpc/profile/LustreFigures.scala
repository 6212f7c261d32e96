package org.apache.spark.hpc.profile

import java.io.IOException
import java.nio.charset.StandardCharsets.ISO_8859_1
import java.nio.file.{Files, Path, Paths}

import scala.collection.JavaConverters._

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
      mount <- entries(place)
      line <- lines(mount.resolve("stats"))
      (figure, count) <- figures(line)
    } yield Counter(mount, figure) -> count).toMap
}

private[profile] object LustreFigures {

  val OfNode: Seq[Path] =
    Seq("/proc/fs/lustre/llite", "/sys/kernel/debug/lustre/llite").map(Paths.get(_))

  private final case class Counter(mount: Path, figure: String)

  // KIND COUNT samples [UNIT] MIN MAX SUM SUM-OF-SQUARES; older versions have no minimum and what follows for some kinds.
  private val Line = """(\w+)\s+(\d+) samples \[\w+\](?:\s+\d+\s+\d+\s+(\d+))?.*""".r

  private def figures(line: String): Seq[(String, Double)] = line match {
    case Line(kind, count, sum) =>
      Seq(s"lustre.$kind" -> count.toDouble) ++
        Option(sum).map(its => s"lustre.$kind.sum" -> its.toDouble)
    case _ => Seq.empty
  }

  private def entries(place: Path): Seq[Path] =
    orNone {
      val all = Files.newDirectoryStream(place)
      try all.asScala.toList
      finally all.close()
    }

  private def lines(file: Path): Seq[String] = orNone(Files.readAllLines(file, ISO_8859_1).asScala)

  private def orNone[A](read: => Seq[A]): Seq[A] =
    try read
    catch { case _: IOException => Seq.empty }
}
