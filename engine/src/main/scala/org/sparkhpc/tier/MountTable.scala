package org.sparkhpc.tier

import java.io.{File, IOException}
import java.nio.charset.StandardCharsets
import java.nio.file.{Files, Path, Paths}

import scala.collection.JavaConverters._

/** The file systems of this process's mount namespace, in the order in which they were mounted. */
final class MountTable private (mounts: Seq[MountTable.Mount]) {

  /** The type of the file system that holds `path`, such as `lustre`; None without a mount table.
    *
    * A path that doesn't exist yet is on the file system of its nearest existing parent.
    */
  def typeOf(path: File): Option[String] = mountOf(path).map(_.fileSystemType)

  /** The mount that holds `path`, by the same rule. */
  def mountOf(path: File): Option[MountTable.Mount] = {
    val place = MountTable.real(path.getAbsoluteFile.toPath.normalize)
    val holding = mounts.filter(mount => place.startsWith(mount.point))
    // A later mount hides an earlier one at the same place.
    holding.reverse.sortBy(mount => -mount.point.getNameCount).headOption
  }
}

object MountTable {

  /** @param device of the mounted file system, such as `98:0`. Of two mounts with one device, each shows at once what
    *   is written by the other
    */
  final case class Mount(point: Path, device: String, fileSystemType: String)

  private val Mine = Paths.get("/proc/self/mountinfo")

  /** Reads the table from the kernel; empty if there is none. */
  def read(): MountTable =
    try parse(Files.readAllLines(Mine, StandardCharsets.UTF_8).asScala)
    catch { case _: IOException => new MountTable(Nil) }

  /** Parses lines as in proc(5): `36 35 98:0 /root /mount/point rw,noatime master:1 - ext4 /dev/root rw`. */
  def parse(lines: Seq[String]): MountTable =
    new MountTable(lines.flatMap { line =>
      val fields = line.split(' ')
      // Any number of optional fields precede the dash.
      val dash = fields.indexOf("-", 6)
      if (dash > 0 && dash + 1 < fields.length) {
        val kind = typeIn(fields.drop(dash + 1))
        Some(Mount(Paths.get(unescaped(fields(4))), fields(2), kind))
      } else {
        None
      }
    })

  /** The type of a file system. Some in user space are named only before their source: `fuse mfs#master:9421`. */
  private def typeIn(typeAndSource: Seq[String]): String = typeAndSource match {
    case Seq("fuse", source, _*) if unescaped(source).contains('#') =>
      "fuse." + unescaped(source).takeWhile(_ != '#')
    case its => its.head
  }

  private val Octal = raw"\\([0-7]{3})".r

  private def unescaped(text: String): String =
    Octal.replaceAllIn(
      text,
      found =>
        java.util.regex.Matcher.quoteReplacement(Integer.parseInt(
          found.group(1),
          8
        ).toChar.toString)
    )

  private def real(path: Path): Path =
    try path.toRealPath()
    catch {
      case _: IOException =>
        Option(path.getParent).fold(path)(parent => real(parent).resolve(path.getFileName))
    }
}
