package org.sparkhpc.report

/** A table of text whose second column is aligned to the left, and the others to the right. */
private[report] object TextTable {

  def of(header: Seq[String])(rows: Seq[Seq[String]]): Seq[String] = {
    val all = header +: rows
    val widths = all.transpose.map(_.map(_.length).max)
    all.map { row =>
      val cells = row.zip(widths).zipWithIndex.map {
        case ((cell, width), 1) => cell.padTo(width, ' ')
        case ((cell, width), _) => " " * (width - cell.length) + cell
      }
      cells.mkString("  ").replaceAll(" +$", "")
    }
  }
}
