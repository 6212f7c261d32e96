package org.apache.spark.examples.hpc

import java.io.{BufferedReader, InputStreamReader}
import java.nio.charset.StandardCharsets.UTF_8

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.graphx.VertexId

/** The names of vertices: a text file with lines `id<TAB>name`, `#` comments and blank lines.
  *
  * The file is read from start to end for each question and never kept, so that names of a graph
  * with a billion vertices don't fill the driver. When an id has several names, the first counts.
  */
final class VertexNames(path: Path, conf: Configuration) {

  /** Refuses a file with a line that isn't an id and a name. */
  def check(): Unit = scan((_, _) => ())

  def of(ids: Set[VertexId]): Map[VertexId, String] = {
    val names = Map.newBuilder[VertexId, String]
    val missing = scala.collection.mutable.Set.empty ++ ids
    scan((id, name) => if (missing.remove(id)) names += id -> name)
    names.result()
  }

  private def scan(visit: (VertexId, String) => Unit): Unit = {
    val lines =
      new BufferedReader(new InputStreamReader(path.getFileSystem(conf).open(path), UTF_8))
    try {
      var number = 0L
      Iterator.continually(lines.readLine()).takeWhile(_ != null).foreach { line =>
        number += 1
        if (line.trim.nonEmpty && !line.startsWith("#")) {
          val (id, name) = parse(line).getOrElse {
            throw Refusal.data(
              s"--names $path: line $number is '${OneLine(line, 60)}'; " +
                "each line must be a vertex id, a tab and a name"
            )
          }
          visit(id, name)
        }
      }
    } finally lines.close()
  }

  private def parse(line: String): Option[(VertexId, String)] = {
    val tab = line.indexOf('\t')
    val digits = line.take(math.max(tab, 0))
    val isId = digits.nonEmpty && digits.length <= 19 && digits.forall(c => c >= '0' && c <= '9')
    // Nineteen digits may be more than a Long holds.
    if (isId && BigInt(digits).isValidLong) Some((digits.toLong, line.substring(tab + 1))) else None
  }
}
