package org.apache.spark.sql.hpc

/** A text of SQL as the statements that it holds.
  *
  * A statement ends at a semicolon that stands outside of quotes and comments, as Spark's parser
  * understands them: a backslash escapes in 'text' and "text", `names` don't know escapes, bracketed
  * comments nest. Statements of white space and comments only are left out.
  *
  * @param complete the statements that ended, without their semicolon
  * @param rest what follows the last of them
  */
final case class SqlStatements(complete: Seq[String], rest: String) {

  /** All, when the text ends the last one too. */
  def all: Seq[String] = complete ++ Seq(rest).filterNot(SqlStatements.isBlank)
}

object SqlStatements {

  def apply(text: String): SqlStatements = {
    val complete = Seq.newBuilder[String]
    var start = 0
    var at = 0
    while (at < text.length)
      if (text.charAt(at) == ';') {
        complete += text.substring(start, at)
        at += 1
        start = at
      } else {
        at = next(text, at)
      }
    SqlStatements(complete.result().filterNot(isBlank), text.substring(start))
  }

  /** Nothing but white space and comments. */
  def isBlank(text: String): Boolean = {
    var at = 0
    while (at < text.length && (text.charAt(at).isWhitespace || isComment(text, at)))
      at = next(text, at)
    at >= text.length
  }

  private def isComment(text: String, at: Int): Boolean =
    text.startsWith("--", at) || text.startsWith("/*", at)

  /** Where the character, quoted text or comment that begins at `at` is over. */
  private def next(text: String, at: Int): Int = text.charAt(at) match {
    case quote @ ('\'' | '"') => endOfQuote(text, at + 1, quote, escapes = true)
    case '`' => endOfQuote(text, at + 1, '`', escapes = false)
    case '-' if isComment(text, at) => orLength(text, text.indexOf('\n', at))
    case '/' if isComment(text, at) => endOfComment(text, at)
    case _ => at + 1
  }

  private def endOfQuote(text: String, from: Int, quote: Char, escapes: Boolean): Int = {
    var at = from
    while (at < text.length && text.charAt(at) != quote)
      at += (if (escapes && text.charAt(at) == '\\') 2 else 1)
    math.min(at + 1, text.length)
  }

  private def endOfComment(text: String, from: Int): Int = {
    var at = from + 2
    var depth = 1
    while (depth > 0 && at < text.length)
      if (text.startsWith("/*", at)) {
        depth += 1
        at += 2
      } else if (text.startsWith("*/", at)) {
        depth -= 1
        at += 2
      } else {
        at += 1
      }
    at
  }

  private def orLength(text: String, found: Int): Int = if (found < 0) text.length else found
}
