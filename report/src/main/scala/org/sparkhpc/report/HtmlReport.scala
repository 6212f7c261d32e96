package org.sparkhpc.report

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Locale

import scala.xml.{Elem, NodeSeq, Unparsed}

import com.google.common.io.Resources

import org.sparkhpc.report.Words.{bytes, percent, seconds}

/** The report as HTML: a page that needs no other file, or what a tab of Spark's web page shows. */
object HtmlReport {

  /** A page with its style, its scripts and its data. */
  def page(run: Run): String = {
    val name = s"${run.name} (${run.id})"
    val html =
      <html lang="en">
        <head>
          <meta charset="utf-8"/>
          <meta name="viewport" content="width=device-width"/>
          <title>{name}</title>
        </head>
        <body class="hpc-page">
          <h1>{name}</h1>
          {body(run)}
        </body>
      </html>
    s"<!DOCTYPE html>\n$html\n"
  }

  /** The report without the frame of a page. */
  def body(run: Run): NodeSeq = {
    val totals = run.totals
    val whole = totals.taskTime.toDouble
    <div class="hpc-report">
      <style>{Unparsed(resource("report.css") + plot("uPlot.min.css"))}</style>
      <p>{summary(run, totals)}</p>
      {conclusion(run, totals)}
      <h3>Where the tasks spent their time</h3>
      {bar(totals.split, whole)}
      {legend(totals.split, whole)}
      <h3>Stages</h3>
      <p>{stagesNote}</p>
      {stages(run, totals.partsAbove(0.005))}
      {charts(run)}
      {Tables.of(run).map(table)}
    </div>
  }

  private val stagesNote =
    "The longest first. The bar divides the time of a stage's tasks as above. It is as long as their " +
      "time, compared with the longest stage."

  private def summary(run: Run, totals: Totals): String = {
    val (executors, removed) = run.executorCounts
    s"Spark ${run.sparkVersion}. The application ran ${seconds(run.wall)}, its jobs ${seconds(totals.busy)}, on " +
      s"${math.round(totals.cores)} cores on the average, which tasks used ${percent(totals.used)} of that time. " +
      s"$executors executors, of which $removed were removed." +
      (if (run.ended.isEmpty) " The application has not ended, or was killed." else "")
  }

  private def conclusion(run: Run, totals: Totals): Elem = {
    val text = TextReport.conclusion(run, totals).mkString(" ")
    <p id="hpc-conclusion" class="hpc-conclusion">{text}</p>
  }

  /** @param width the width of the whole bar, as a share of the page's or the cell's width */
  private def bar(split: Map[Part, Double], whole: Double, width: Double = 1): Elem = {
    val parts = for (part <- Part.all; millis <- split.get(part) if millis >= 0.002 * whole) yield {
      val title = s"${part.name}: ${seconds(millis)}, ${percent(millis / whole)}"
      val style = s"hpc-part hpc-${part.key}"
      <div class={style} style={widthOf(millis / whole)} title={title}></div>
    }
    <div class="hpc-bar" style={widthOf(width)}>{parts}</div>
  }

  private def widthOf(share: Double): String =
    String.format(Locale.ROOT, "width: %.2f%%", Double.box(100 * share))

  private def legend(split: Map[Part, Double], whole: Double): Elem = {
    val entries = for (part <- Part.all; millis <- split.get(part)) yield {
      val style = s"hpc-key hpc-${part.key}"
      val text = s"${part.name} ${percent(millis / whole)}, ${seconds(millis)}"
      <li><span class={style}></span>{text}</li>
    }
    <ul class="hpc-legend">{entries}</ul>
  }

  private def stages(run: Run, parts: Seq[Part]): Elem = {
    val shown = run.stages.filter(_.tasks > 0).sortBy(-_.times.duration)
    val longest = shown.headOption.fold(1L)(stage => math.max(1, stage.times.duration)).toDouble
    val header = StageColumns ++ parts.map(_.name)
    <div class="hpc-scroll"><table class="hpc-table table table-sm sortable">
      <thead><tr>{header.map(name => <th>{name}</th>)}</tr></thead>
      <tbody>{shown.take(MostStages).flatMap(row(_, parts, longest))}</tbody>
    </table></div>
  }

  private def row(stage: StageFigures, parts: Seq[Part], mostTime: Double): Option[Elem] = for {
    (median, longest) <- stage.durations
  } yield {
    val split = stage.split
    val whole = math.max(1, stage.times.duration).toDouble
    val cells = Seq(
      s"${stage.tasks}",
      s"${stage.failed}",
      stage.duration.fold("")(millis => seconds(millis.toDouble)),
      seconds(median),
      seconds(longest),
      TextReport.idle(stage),
      bytes(stage.bytes.shuffleRead),
      bytes(stage.bytes.shuffleWritten),
      bytes(stage.bytes.spilled)
    )
    val shares = parts.map(part => split.get(part).fold("")(millis => percent(millis / whole)))
    <tr>
      <td>{stage.label}</td>
      <td class="hpc-name" title={stage.name}>{stage.name}</td>
      <td class="hpc-wide">{bar(split, whole, whole / mostTime)}</td>
      {
      (cells ++ shares).map(cell => <td>{cell}</td>)
    }
    </tr>
  }

  private def charts(run: Run): NodeSeq =
    if (run.history.isEmpty) NodeSeq.Empty
    else {
      val script = s"const hpcMemory = ${Series.memory(run)};\n" + resource("report.js")
      <h3>Memory over time</h3>
      <p>Sums over the executors, in GB. A node's page cache and tmpfs are those of its executor that has the lowest number.</p>
      <div id="hpc-memory"></div>
      <script>{Unparsed(plot("uPlot.iife.min.js"))}</script>
      <script>{Unparsed(script)}</script>
    }

  private def table(table: Table): NodeSeq =
    <h3>{table.title}</h3>
    <p>{table.note}</p>
    <div class="hpc-scroll"><table class="hpc-table table table-sm">
      <thead><tr>{table.header.map(name => <th>{name}</th>)}</tr></thead>
      <tbody>{table.rows.map(row => <tr>{row.map(cell => <td>{cell}</td>)}</tr>)}</tbody>
    </table></div>

  private val MostStages = 500

  private val StageColumns = Seq(
    "stage",
    "name",
    "where the time went",
    "tasks",
    "failed",
    "time",
    "median task",
    "longest task",
    "idle cores",
    "shuffle read",
    "written",
    "spilled"
  )

  private def resource(name: String): String =
    Resources.toString(Resources.getResource(getClass, name), UTF_8)

  // Of uPlot, https://github.com/leeoniya/uPlot, which the build unpacks from org.webjars.npm:uplot.
  private def plot(file: String): String =
    Resources.toString(
      Resources.getResource(s"META-INF/resources/webjars/uplot/1.6.30/dist/$file"),
      UTF_8
    )
}
