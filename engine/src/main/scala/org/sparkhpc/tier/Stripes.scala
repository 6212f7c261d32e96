package org.sparkhpc.tier

import java.io.IOException
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Path

import com.google.common.io.ByteStreams

/** Sets over how many object storage targets of Lustre each new file of a directory is striped. */
object Stripes {

  /** The number of targets for a container, unless the user sets another.
    *
    * An executor writes a whole shuffle to one container. One target is slower than the node's network, while
    * each further target costs requests when a file is created, sized and deleted, and the files of many
    * executors spread over the targets anyway.
    */
  val ForContainers = 4

  /** Stripes the new files of a directory. If the command fails, throws an IOException with its output.
    *
    * @param count of targets; -1 for all
    */
  def set(directory: Path, count: Int, lfs: String = "lfs"): Unit =
    said(Seq(lfs, "setstripe", "-c", count.toString, directory.toString)): Unit

  /** Stripes the new files of a directory that will hold containers. If `asked` is set, that is their number of
    * targets, and a failure is an IOException. Otherwise, on Lustre, it is [[ForContainers]], unless somebody
    * chose the directory's layout.
    *
    * @param fileSystem of the directory, as the mount table names it
    * @return why the default couldn't be set
    */
  def ofContainers(
      directory: Path,
      asked: Option[Int],
      fileSystem: Option[String],
      lfs: String = "lfs"
  ): Option[String] = asked match {
    case Some(count) =>
      set(directory, count, lfs)
      None
    case None if fileSystem.contains("lustre") =>
      try {
        if (isUnchosen(said(Seq(lfs, "getstripe", "-d", directory.toString))))
          set(directory, ForContainers, lfs)
        None
      } catch {
        case failure: IOException =>
          Some(s"Each file of $directory is on one target of Lustre: ${failure.getMessage}")
      }
    case None => None
  }

  private val Count = raw"stripe_count:\s+(-?\d+)".r
  private val Pool = raw"pool:\s+\S".r

  /** Whether a layout is Lustre's own default: one target (0 stands for the file system's default), no
    * pool, and not progressive.
    */
  private def isUnchosen(layout: String): Boolean = {
    val counts = Count.findAllMatchIn(layout).map(_.group(1)).toList
    counts.nonEmpty && counts.forall(Set("0", "1")) && !layout.contains("lcm_") &&
    Pool.findFirstIn(layout).isEmpty
  }

  private def said(command: Seq[String]): String = {
    val process = new ProcessBuilder(command: _*).redirectErrorStream(true).start()
    process.getOutputStream.close()
    val said = new String(ByteStreams.toByteArray(process.getInputStream), UTF_8).trim
    val code = process.waitFor()
    if (code != 0) {
      val oneLine = said.linesIterator.map(_.trim).mkString(" ")
      throw new IOException(s"'${command.mkString(" ")}' ended with $code: $oneLine")
    }
    said
  }
}

/** A directory as a user writes it, with the number of targets of each of its files if the user sets it:
  * `/scratch/you?stripes=4`.
  */
final case class StripedDirectory(path: String, stripes: Option[Int])

object StripedDirectory {
  private val Form = raw"(/[^?]*)(?:\?stripes=(-1|[1-9]\d{0,3}))?".r

  /** The directory, or what is wrong with the text. */
  def parse(text: String): Either[String, StripedDirectory] = text match {
    case Form(path, stripes) => Right(StripedDirectory(path, Option(stripes).map(_.toInt)))
    case _ => Left("it must be an absolute path, such as /scratch/you/spark?stripes=4")
  }
}
