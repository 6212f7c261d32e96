package org.apache.spark.examples.hpc

/** Any text as part of one line on a terminal: control characters escaped, the tail cut off. */
object OneLine {

  def apply(text: String, limit: Int): String = {
    val cut = if (text.length > limit) text.take(limit) + "..." else text
    cut.flatMap {
      case '\t' => "\\t"
      case '\n' => "\\n"
      case '\r' => "\\r"
      case c if c.isControl => f"\\u${c.toInt}%04x"
      case c => c.toString
    }
  }

  /** The innermost cause of a failure: what went wrong, without where in Spark it was noticed. */
  def apply(failure: Throwable): String = {
    // A cycle of causes is legal for a Throwable that overrides getCause, hence the bound.
    val root = Iterator.iterate(failure)(_.getCause).takeWhile(_ != null).take(32).toSeq.last
    val first = Option(root.getMessage).flatMap(_.linesIterator.find(_.trim.nonEmpty))
    val kind = root.getClass.getSimpleName.stripSuffix("Exception")
    apply((kind +: first.toSeq).filter(_.nonEmpty).mkString(": "), 300)
  }
}
