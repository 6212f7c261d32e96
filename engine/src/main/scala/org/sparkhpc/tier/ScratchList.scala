package org.sparkhpc.tier

import java.io.File
import java.util.regex.Matcher.quoteReplacement

/** One tier of a [[ScratchList]].
  *
  * @param directory as the user wrote it, with its variables
  * @param capacity bytes that the processes of a node may use there
  * @param reserve bytes to leave free on its file system
  * @param stripes the stripe count of its files; -1 for all targets
  */
final case class ScratchEntry(
    label: String,
    directory: String,
    capacity: Option[Long] = None,
    reserve: Option[Long] = None,
    stripes: Option[Int] = None
) {
  override def toString: String = {
    val options =
      Seq("capacity" -> capacity, "reserve" -> reserve, "stripes" -> stripes).collect {
        case (name, Some(value)) => s"$name=$value"
      }
    s"$label:$directory" + (if (options.isEmpty) "" else options.mkString("?", "&", ""))
  }

  /** The directory on this node; or what is wrong with it, and the remedy. */
  def on(variable: String => Option[String]): Either[String, File] = {
    val unset = ScratchEntry.variablesIn(directory).filter(variable(_).forall(_.isEmpty))
    if (unset.nonEmpty) {
      Left(s"$$${unset.head} isn't set on this node; set it, or leave '$this' out")
    } else {
      val path = ScratchEntry.Variable.replaceAllIn(
        directory,
        found => quoteReplacement(variable(ScratchEntry.nameOf(found)).get)
      )
      if (path.contains(",")) {
        Left(
          s"'$path' in '$this' is several directories; write an entry for each, or local:$$PWD in a " +
            "container"
        )
      } else if (path.startsWith("/")) {
        Right(new File(path).toPath.normalize.toFile)
      } else {
        Left(s"'$path' in '$this' is no absolute path; write one such as /local/scratch")
      }
    }
  }
}

object ScratchEntry {
  private val Variable = raw"\$$(?:\{(\w+)\}|(\w+))".r

  private def nameOf(found: scala.util.matching.Regex.Match): String =
    Option(found.group(1)).getOrElse(found.group(2))

  private def variablesIn(directory: String): Seq[String] =
    Variable.findAllMatchIn(directory).map(nameOf).toList
}

/** An ordered list of scratch tiers, the fastest first.
  *
  * {{{
  * list   = entry *( "," entry )
  * entry  = label ":" directory [ "?" option *( "&" option ) ]
  * label  = "memory" | "burst" | "local" | "global"
  * option = ( "capacity" | "reserve" ) "=" digits [ "k" | "m" | "g" | "t" ]
  *        | "stripes" "=" ( digits | "-1" )
  * }}}
  * A directory is an absolute path, in which `$NAME` and `${NAME}` stand for variables.
  */
object ScratchList {
  val Labels: Seq[String] = Seq("memory", "burst", "local", "global")

  /** The entries, or what is wrong with the list, and the remedy. */
  def parse(list: String): Either[String, Seq[ScratchEntry]] = {
    val entries = list.split(",", -1).toSeq.map(text => entry(text.trim))
    entries.collectFirst { case Left(wrong) => wrong }
      .toLeft(entries.collect { case Right(entry) => entry })
  }

  /** Each entry's directory on this node; or what is wrong with one, and the remedy. */
  def directories(
      entries: Seq[ScratchEntry],
      variable: String => Option[String]
  ): Either[String, Seq[File]] = {
    val found = entries.map(_.on(variable))
    val directories = found.collect { case Right(directory) => directory }
    found.collectFirst { case Left(wrong) => wrong }
      .orElse(directories.diff(directories.distinct).headOption.map { twice =>
        s"$twice stands there twice; leave one of them out"
      })
      .toLeft(directories)
  }

  private val Entry = raw"([^:]*):([^?]*)(?:\?(.*))?".r

  private def entry(text: String): Either[String, ScratchEntry] = text match {
    case Entry(label, _, _) if !Labels.contains(label) =>
      Left(s"'$label' in '$text' is no kind of tier; write one of ${Labels.mkString(", ")}")
    case Entry(_, directory, _) if !directory.startsWith("/") && !directory.startsWith("$") =>
      Left(s"'$directory' in '$text' is no absolute path; write one such as /local/scratch")
    case Entry(label, directory, options) =>
      val pairs = Option(options).fold(Seq.empty[String])(_.split("&", -1).toSeq)
      pairs.foldLeft[Either[String, ScratchEntry]](Right(ScratchEntry(label, directory))) {
        case (Right(entry), pair) => option(entry, pair, text)
        case (wrong, _) => wrong
      }
    case _ => Left(s"'$text' is no tier; write kind:directory, such as local:/local/scratch")
  }

  private val StripeCount = raw"(-1|[1-9]\d{0,3})".r
  private val Bytes = raw"(\d+)([kmgt]?)b?".r

  private def option(
      entry: ScratchEntry,
      pair: String,
      text: String
  ): Either[String, ScratchEntry] = {
    val name = pair.takeWhile(_ != '=')
    val value = pair.drop(name.length + 1)
    (name, bytes(value)) match {
      case ("stripes", _) =>
        Some(value).collect { case StripeCount(count) if entry.stripes.isEmpty => count.toInt }
          .map(count => entry.copy(stripes = Some(count)))
          .toRight(s"'$pair' in '$text' must be a number of stripes or -1, once, such as stripes=4")
      case ("capacity", Some(bytes)) if bytes > 0 && entry.capacity.isEmpty =>
        Right(entry.copy(capacity = Some(bytes)))
      case ("reserve", Some(bytes)) if entry.reserve.isEmpty =>
        Right(entry.copy(reserve = Some(bytes)))
      case ("capacity" | "reserve", _) =>
        Left(s"'$pair' in '$text' must be a number of bytes, once, such as $name=8g")
      case _ => Left(s"'$name' in '$text' is no option; write capacity=8g, reserve=1g or stripes=4")
    }
  }

  private def bytes(text: String): Option[Long] = text.toLowerCase match {
    case Bytes(digits, unit) =>
      val powers = if (unit.isEmpty) 0 else 1 + "kmgt".indexOf(unit)
      Some(BigInt(digits) << (10 * powers)).filter(_.isValidLong).map(_.toLong)
    case _ => None
  }
}
