package org.apache.spark.examples.hpc

import java.io.PrintStream

import scopt.{OEffect, OParser}

/** Reads a command line with scopt, and says what is wrong with it in one line. */
object CommandLine {

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
    val errors = effects.collect { case OEffect.ReportError(line) => OneLine(line, 300) }
    if (helpOnly) {
      effects.foreach {
        case OEffect.DisplayToOut(text) => out.println(text)
        case _ =>
      }
      None
    } else if (errors.nonEmpty) {
      throw Refusal.usage(errors.distinct.mkString("", "; ", " (--help lists the options)"))
    } else {
      options
    }
  }
}
