package org.apache.spark.examples.hpc

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.scalatest.funsuite.AnyFunSuite

class VertexNamesSuite extends AnyFunSuite with TemporaryFiles {

  private def names(text: String): VertexNames =
    new VertexNames(new Path(file(text).toString), new Configuration(false))

  test("finds the names of the ids asked for, comments and blank lines aside") {
    val known = names("# id name\n\n0\tzero\n1\tone, and a half\n12\ttab\tinside\n3\tnot asked\n")
    known.check()
    assert(known.of(Set(0L, 1L, 12L, 99L)) ==
      Map(0L -> "zero", 1L -> "one, and a half", 12L -> "tab\tinside"))
  }

  test("of several names the first counts") {
    assert(names("1\ta\n1\tb\n").of(Set(1L)) == Map(1L -> "a"))
  }

  test("a line without id or tab is refused with its number") {
    for (line <- Seq("x\ty", "1 one", "-1\tminus", "\tnothing", "9223372036854775808\tbig")) {
      val refusal = intercept[Refusal](names(s"0\tzero\n$line\n").check())
      assert(refusal.getMessage.contains("line 2"))
      assert(refusal.exitCode == 1)
    }
  }
}
