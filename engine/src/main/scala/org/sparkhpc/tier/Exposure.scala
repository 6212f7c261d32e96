package org.sparkhpc.tier

import java.io.IOException
import java.nio.file.{Files, LinkOption, Path, Paths}

import scala.annotation.tailrec
import scala.collection.JavaConverters._

/** A weak point on the path to a directory: a directory in which somebody else can replace what is below it.
  *
  *  1. Each directory from the root on is checked, including those that symbolic links lead through.
  *  1. Users who may write in a directory may rename its entries. With the sticky bit, only the owner of an entry
  *     and the owner of the directory may.
  *  1. Root and the user of this process may do that everywhere, so they aren't reported. Neither is an owner
  *     that the user namespace doesn't know, such as root in a container of the user's.
  */
final case class Exposure(
    directory: Path,
    mode: Int,
    owner: String,
    group: String,
    to: Exposure.Whom
) {

  /** The text for errors. */
  override def toString: String = {
    val bits = f"${mode & Exposure.Permissions}%o"
    s"$directory (mode $bits, owner $owner, group $group)"
  }
}

object Exposure {

  sealed trait Whom
  case object Everybody extends Whom
  case object ItsGroup extends Whom
  case object ItsOwner extends Whom

  /** How to fix an exposure to everybody. */
  val Remedy = "chmod o-w or chmod +t it, or name another directory"

  /** The first exposure to everybody on the path to a directory, itself included. Such a directory is refused. */
  def toEverybody(directory: Path): Option[Exposure] = of(directory).find(_.to == Everybody)

  /** Why a directory is refused, and the remedy; None if it isn't. */
  def refusal(directory: Path): Option[String] =
    toEverybody(directory).map { found =>
      s"everybody can replace what is in $found: $Remedy"
    }

  /** A warning about a directory that isn't refused but that some users can replace, such as one in a project's
    * directory that its group may write.
    */
  def warning(directory: Path): Option[String] = {
    val found = of(directory).filter(_.to != Everybody)
    if (found.isEmpty) None
    else {
      val some = found.map { its =>
        s"${if (its.to == ItsGroup) s"group ${its.group}" else s"user ${its.owner}"} can replace what is in $its"
      }
      Some(
        s"other users can replace $directory: ${some.mkString("; ")}. If you trust them, nothing has to " +
          "be done; otherwise name a directory of your own"
      )
    }
  }

  /** All exposures on the path to a directory, itself included. Directories that don't exist aren't checked. */
  def of(directory: Path): Seq[Exposure] = {
    val path = directory.toAbsolutePath
    try walk(path.getRoot, names(path), Nil, MostLinks).reverse.distinct
    catch {
      case _: IOException => Nil
    } // it can't be entered; the attempt to use it will report that
  }

  private val Permissions = 0xfff
  private val Sticky = 0x200
  private val WriteByGroup = 0x10
  private val WriteByOthers = 0x2
  // The kernel's limit.
  private val MostLinks = 40

  private def names(path: Path): List[Path] = path.iterator().asScala.toList

  @tailrec
  private def walk(
      at: Path,
      rest: List[Path],
      found: List[Exposure],
      links: Int
  ): List[Exposure] = {
    val here = new Looked(at)
    val now = here.exposure.toList ++ found
    rest match {
      case Nil => now
      case name :: more =>
        val next = at.resolve(name).normalize
        if (Files.isSymbolicLink(next) && links > 0) {
          val target = Files.readSymbolicLink(next)
          // Where everybody may make links, a link's owner may lead it elsewhere.
          val isSafe = !here.isOpen || new Looked(next).isTrusted
          val byLink = if (isSafe) now else here.as(Everybody) :: now
          val start = if (target.isAbsolute) target.getRoot else at
          walk(start, names(target) ++ more, byLink, links - 1)
        } else if (Files.isDirectory(next, LinkOption.NOFOLLOW_LINKS)) walk(next, more, now, links)
        else now
    }
  }

  private final class Looked(path: Path) {
    private val its = Files
      .readAttributes(path, "unix:mode,uid,gid,owner,group", LinkOption.NOFOLLOW_LINKS).asScala

    private def number(name: String): Int = its(name).asInstanceOf[Int]
    private def isSet(bit: Int): Boolean = (number("mode") & bit) != 0

    def isTrusted: Boolean = Trusted(number("uid"))

    /** Whether everybody may create entries in it. */
    def isOpen: Boolean = isSet(WriteByOthers)

    private def isGroupTrusted: Boolean =
      number("gid") == 0 || its("group").toString == System.getProperty("user.name")

    def as(to: Whom): Exposure =
      Exposure(path, number("mode"), its("owner").toString, its("group").toString, to)

    def exposure: Option[Exposure] = {
      val isWritten = !isSet(Sticky)
      if (isWritten && isOpen) Some(as(Everybody))
      else if (!isTrusted) Some(as(ItsOwner))
      else if (isWritten && isSet(WriteByGroup) && !isGroupTrusted) Some(as(ItsGroup))
      else None
    }
  }

  private lazy val Trusted: Set[Int] = Set(0, own, unknown)

  /** The uid of this process. */
  private[tier] def own: Int =
    Files.getAttribute(Paths.get("/proc/self/task"), "unix:uid").asInstanceOf[Int]

  /** The uid that the kernel shows for owners that the user namespace doesn't know. */
  private def unknown: Int =
    try {
      // Such a file gives its content to the first read only; the reader's buffer is large enough for it.
      val file = Files.newBufferedReader(Paths.get("/proc/sys/kernel/overflowuid"))
      try file.readLine().toInt
      finally file.close()
    } catch { case _: IOException => 65534 }
}
