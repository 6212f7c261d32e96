package org.apache.spark.sql.hpc

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class SqlStatementsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private def trimmed(text: String): Seq[String] = SqlStatements(text).all.map(_.trim)

  test("statements end at semicolons, the last one at the end of the text too") {
    assert(trimmed("select 1; select 2;\nselect 3") == Seq("select 1", "select 2", "select 3"))
    assert(SqlStatements("select 1; select") == SqlStatements(Seq("select 1"), " select"))
  }

  test("a semicolon in quotes ends nothing") {
    for (quoted <- Seq("""'a;b'""", """"a;b"""", "`a;b`", """'it\'s;'""", """"a\";b"""", "`a\\`"))
      assert(trimmed(s"select $quoted; select 2") == Seq(s"select $quoted", "select 2"))
  }

  test("a semicolon in a comment ends nothing") {
    for (comment <- Seq("-- a;b\n", "/* a;b */", "/* a; /* b; */ c; */", "-- it's;\n"))
      assert(trimmed(s"select 1 $comment + 1; select 2") ==
        Seq(s"select 1 $comment + 1", "select 2"))
  }

  test("an open quote or comment keeps the rest together") {
    for (open <- Seq("'a;b", "\"a;b", "`a;b", "/* a;b", "/* /* */ a;b", "'a;\\"))
      assert(SqlStatements(s"select $open") == SqlStatements(Nil, s"select $open"))
  }

  test("white space and comments alone are no statement") {
    assert(trimmed(" ; -- nothing\n; /* nothing */ ;\n -- the end") == Nil)
  }

  test("nothing is lost: the pieces, joined, are the text") {
    val text = Gen.listOf(Gen.oneOf("a", " ", ";", "'", "\"", "`", "--", "\n", "/*", "*/", "\\"))
    forAll(text.map(_.mkString)) { text =>
      val SqlStatements(complete, rest) = SqlStatements(text)
      assert(text.endsWith(rest))
      complete.foldLeft(0) { (from, statement) =>
        val at = text.indexOf(statement, from)
        assert(at >= from)
        at + statement.length
      }
    }
  }
}
