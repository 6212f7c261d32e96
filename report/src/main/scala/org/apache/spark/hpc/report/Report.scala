package org.apache.spark.hpc.report

import java.io.IOException
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths}

import org.sparkhpc.report.{Comparison, HtmlReport, JsonReport, Run, TextReport}

/** Prints where the time of a run went, from its event log. `spark-hpc report` starts this.
  *
  * `Report [--directory D] [--html FILE] [--json FILE] [--brief] LOG`, or `Report [--directory D] --compare A B`. A LOG is a
  * path, or the id of an application whose event log is in D.
  */
object Report {

  def main(arguments: Array[String]): Unit = {
    // Only the report is printed, and errors. Spark's logging reads this before its first line.
    System.setProperty(
      "log4j2.configurationFile",
      getClass.getResource("log4j2.properties").toString
    )
    val code =
      try {
        run(arguments.toList, Options())
        0
      } catch {
        case refused: LogRefused => failed(refused.getMessage)
        case failure: IOException => failed(failure.toString)
      }
    System.exit(code)
  }

  private final case class Options(
      directory: Option[String] = None,
      html: Option[String] = None,
      json: Option[String] = None,
      isBrief: Boolean = false
  )

  private def run(arguments: List[String], options: Options): Unit = arguments match {
    case "--directory" :: value :: rest => run(rest, options.copy(directory = Some(value)))
    case "--html" :: value :: rest => run(rest, options.copy(html = Some(value)))
    case "--json" :: value :: rest => run(rest, options.copy(json = Some(value)))
    case "--brief" :: rest => run(rest, options.copy(isBrief = true))
    case List("--compare", a, b) => print(Comparison.text(read(a, options), read(b, options)))
    case List(log) if !log.startsWith("--") => report(read(log, options), options)
    case _ =>
      throw new LogRefused(
        "usage: spark-hpc report [--html FILE] [--json FILE] LOG, or spark-hpc report --compare LOG LOG"
      )
  }

  private def read(log: String, options: Options): Run = LoggedRun.read(log, options.directory)

  private def report(run: Run, options: Options): Unit = {
    options.html.foreach(write(_, HtmlReport.page(run)))
    options.json.foreach(write(_, JsonReport.of(run)))
    if (options.isBrief) TextReport.conclusion(run, run.totals).foreach(println(_))
    else print(TextReport.of(run))
  }

  private def write(file: String, text: String): Unit =
    Files.write(Paths.get(file), text.getBytes(UTF_8)): Unit

  private def failed(why: String): Int = {
    System.err.println(s"spark-hpc report: $why")
    1
  }
}
