package org.apache.spark.examples.hpc

import java.nio.charset.StandardCharsets.UTF_8

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class EdgeLineSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private def read(text: String): Any = {
    val line = new EdgeLine
    // The bytes behind the length belong to an earlier line, as in Hadoop's Text.
    val bytes = (text + "7 7").getBytes(UTF_8)
    line.read(bytes, text.getBytes(UTF_8).length) match {
      case EdgeLine.Edge => (line.source, line.target)
      case other => other
    }
  }

  test("an edge is two numbers with blanks between and around") {
    for (text <- Seq("1 2", "1\t2", " 1 \t 2 ", "1 2\r", "001 2")) assert(read(text) == ((1L, 2L)))
    assert(read(s"0 ${Long.MaxValue}") == ((0L, Long.MaxValue)))
  }

  test("comments and blank lines are nothing") {
    for (text <- Seq("", " ", "\t\r", "#", "# 1 2", "  # a"))
      assert(read(text) == EdgeLine.Nothing, text)
  }

  test("whatever else is malformed") {
    val texts = Seq(
      "1",
      "1 ",
      "a b",
      "1 b",
      "a 2",
      "-1 2",
      "1 -2",
      "1 2 3",
      "1,2",
      "1 2 # note",
      "1.0 2",
      "+1 2",
      "9223372036854775808 1",
      "1 99999999999999999999999",
      "1 2\u0000",
      "\u00e9 1"
    )
    for (text <- texts) assert(read(text) == EdgeLine.Malformed, text)
  }

  test("any two ids are read back") {
    val id = Gen.chooseNum(0L, Long.MaxValue)
    val blanks = Gen.nonEmptyListOf(Gen.oneOf(' ', '\t')).map(_.mkString)
    forAll(id, blanks, id) { (source: Long, between: String, target: Long) =>
      assert(read(s"$source$between$target") == ((source, target)))
    }
  }

  test("agrees with a regular expression on any line of likely characters") {
    val edge = """\s*(\d+)\s+(\d+)\s*""".r
    val nothing = """\s*(#.*)?"""
    forAll(Gen.listOf(Gen.frequency(
      6 -> Gen.numChar,
      3 -> Gen.const(' '),
      1 -> Gen.oneOf("#-\ta")
    ))) {
      (characters: List[Char]) =>
        val text = characters.mkString
        val expected = text match {
          case edge(a, b) if BigInt(a).isValidLong && BigInt(b).isValidLong => (a.toLong, b.toLong)
          case _ if text.matches(nothing) => EdgeLine.Nothing
          case _ => EdgeLine.Malformed
        }
        assert(read(text) == expected)
    }
  }
}
