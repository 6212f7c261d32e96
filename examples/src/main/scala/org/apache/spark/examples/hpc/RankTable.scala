package org.apache.spark.examples.hpc

import java.util.Locale

import org.apache.spark.graphx.VertexId

/** A ranking as lines of text with aligned columns: place, rank, id and, where known, name. */
final class RankTable(ranking: Seq[(VertexId, Double)], names: Map[VertexId, String]) {

  def lines: Seq[String] = {
    val header = Seq("place", "rank", "id", "name")
    val rows = ranking.zipWithIndex.map { case ((id, rank), index) =>
      Seq(
        (index + 1).toString,
        "%.4f".formatLocal(Locale.ROOT, rank),
        id.toString,
        OneLine(names.getOrElse(id, ""), 200)
      )
    }
    val table = header +: rows
    val widths = header.indices.init.map(column => table.map(_(column).length).max)
    table.map { row =>
      val aligned = row.zip(widths).map { case (cell, width) => " " * (width - cell.length) + cell }
      (aligned :+ row.last).mkString("  ").replaceAll("\\s+$", "")
    }
  }
}
