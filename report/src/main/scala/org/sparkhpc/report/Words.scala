package org.sparkhpc.report

import java.util.Locale

/** Figures as people read them. */
private[report] object Words {

  def seconds(millis: Double): String =
    if (millis < 10000) String.format(Locale.ROOT, "%.1f s", Double.box(millis / 1000))
    else if (millis < 600000) s"${math.round(millis / 1000)} s"
    else s"${math.round(millis / 60000)} min"

  def millis(millis: Double): String =
    if (millis >= 1000) seconds(millis)
    else if (millis >= 10) s"${math.round(millis)} ms"
    else if (millis >= 0.1) String.format(Locale.ROOT, "%.2g ms", Double.box(millis))
    else String.format(Locale.ROOT, "%.2g us", Double.box(1000 * millis))

  def count(number: Long): String = String.format(Locale.ROOT, "%,d", Long.box(number))

  def percent(share: Double): String = s"${math.round(100 * share)}%"

  def bytes(count: Long): String = {
    val units = Seq("B", "KB", "MB", "GB", "TB", "PB")
    val unit =
      if (count < 1000) 0 else math.min(units.size - 1, (math.log10(count.toDouble) / 3).toInt)
    val value = count / math.pow(1000, unit)
    if (unit == 0 || value >= 100) s"${math.round(value)} ${units(unit)}"
    else String.format(Locale.ROOT, "%.1f %s", Double.box(value), units(unit))
  }
}
