package org.apache.spark.examples.hpc

import java.io.PrintStream

import org.apache.commons.text.similarity.LevenshteinDistance
import scopt.{OEffect, OParser}

/** Reads a command line with scopt, and says what is wrong with it in one line. */
object CommandLine {

  /** How scopt begins what it says of an option that isn't there. */
  private val Unknown = "Unknown option "

  /** Each stands at the beginning of a line of the usage. */
  private val Options = "(?m)^ +--([\\w-]+)".r

  /** The options, or None when only help was asked for and given. */
  def parse[C](
      parser: OParser[_, C],
      args: Seq[String],
      initial: C,
      out: PrintStream
  ): Option[C] = {
    val (options, effects) = OParser.runParser(parser, args, initial)
    val helpOnly = effects.exists {
      case OEffect.Terminate(Right(_)) => true
      case _ => false
    }
    val errors = effects.collect { case OEffect.ReportError(line) => line }
    if (helpOnly) {
      effects.foreach {
        case OEffect.DisplayToOut(text) => out.println(text)
        case _ =>
      }
      None
    } else if (errors.nonEmpty) {
      val all = said(parser, errors).map(OneLine(_, 300)).distinct
      throw Refusal.usage(all.mkString("", "; ", " (--help lists the options)"))
    } else {
      options
    }
  }

  /** Of a mistyped option the value seems to be an argument, and the option itself to be missing: nothing is said of
    * that.
    */
  private def said(parser: OParser[_, _], errors: Seq[String]): Seq[String] =
    errors.filter(_.startsWith(Unknown)) match {
      case Seq() => errors
      case unknown => unknown.map { line =>
          s"$line: the nearest is --${nearest(parser, line.stripPrefix(Unknown))}"
        }
    }

  private def nearest(parser: OParser[_, _], typed: String): String = {
    val name = typed.dropWhile(_ == '-').takeWhile(_ != '=')
    Options.findAllMatchIn(OParser.usage(parser)).map(_.group(1))
      .minBy(LevenshteinDistance.getDefaultInstance.apply(_, name).intValue)
  }
}
