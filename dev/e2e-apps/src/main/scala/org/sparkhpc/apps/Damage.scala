package org.sparkhpc.apps

import java.io.RandomAccessFile
import java.nio.file.{Files, Path}

import scala.util.Random

/** What happens to a file of map outputs: one of the newest shuffle below `root`, which the seed picks. */
private[apps] final class Damage(root: Option[Path], seed: Long) {
  private val random = new Random(seed)

  /** What was done to which file; None if there was none to do it to. */
  var harmed: Option[String] = None

  /** @param what `deleted`, `cut` or `flipped` */
  def happen(what: String): Unit =
    for (file <- random.shuffle(containers).headOption) {
      what match {
        case "deleted" => Files.delete(file)
        case _ =>
          val access = new RandomAccessFile(file.toFile, "rw")
          try
            if (what == "cut") access.setLength((random.nextDouble() * access.length).toLong)
            else flip(access)
          finally access.close()
      }
      harmed = Some(s"$what $file")
    }

  /** At its front, where the index begins; behind that, where the first output is; or in what follows. */
  private def flip(file: RandomAccessFile): Unit = {
    val data = math.min(16L << 20, file.length - 1)
    val (from, most) = random.nextInt(3) match {
      case 0 => (0L, 200L)
      case 1 => (data, 200L)
      case _ => (data, Int.MaxValue.toLong)
    }
    val at = from + random.nextInt(math.min(most, file.length - from).toInt)
    file.seek(at)
    val byte = file.read()
    file.seek(at)
    file.write(byte ^ (1 << random.nextInt(8)))
  }

  private def containers: Seq[Path] = {
    val all = root.toList.flatMap(FilesBelow(_)).filter(_.toString.endsWith(".container"))
    if (all.isEmpty) all else all.filter(shuffle(_) == all.map(shuffle).max)
  }

  /** As its directory says, or its name where all shuffles are in one directory. */
  private def shuffle(container: Path): Int = {
    val names = container.subpath(container.getNameCount - 2, container.getNameCount).toString
    "shuffle[-_](\\d+)".r.findFirstMatchIn(names).get.group(1).toInt
  }
}
