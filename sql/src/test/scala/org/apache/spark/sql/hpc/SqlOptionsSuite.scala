package org.apache.spark.sql.hpc

import org.scalatest.funsuite.AnyFunSuite

class SqlOptionsSuite extends AnyFunSuite {

  test("each option is understood") {
    val args = Seq("-i", "a", "-f", "b", "--database", "c", "-d", "x=1", "--hivevar", "y=a=b", "-S")
    assert(SqlOptions.parse(args) == Right(
      SqlOptions(Some("a"), None, Some("b"), Some("c"), Seq("x" -> "1", "y" -> "a=b"), true)
    ))
  }

  test("what isn't understood is refused") {
    for (
      args <- Seq(Seq("-x"), Seq("-e"), Seq("-d", "x"), Seq("-d", "=x"), Seq("-e", "a", "-f", "b"))
    )
      assert(SqlOptions.parse(args).isLeft, args)
  }
}
