package org.apache.spark.hpc.weaver

import scala.collection.JavaConverters._

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class SiteListSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private val New = "a.B <init> new a.C a.OurC 1"

  private def refusal(text: String): String =
    intercept[WeaveException](SiteList.parse("x.sites", text)).getMessage

  test("comments, blank lines and any blanks between columns") {
    val list = SiteList.parse("x.sites", s"# a comment\n\n  ${New.replace(" ", " \t ")}  \n")
    assert(list.all.asScala.map(_.toString) == Seq(New))
  }

  test("a refusal names the file, the line and the column") {
    assert(refusal(
      s"$New\na.B m new a.C"
    ) == "x.sites:2: 4 columns instead of 6 (class, method, kind, target, ours, count)")
    assert(refusal("a.B m swap a.C a.D 1").contains(
      "x.sites:1: kind 'swap' is none of: new, call, prologue"
    ))
    assert(refusal("a.B m new a.C a.D 0").contains("count '0' must be a whole number from 1"))
    assert(refusal("a.B m new a.C a.D many").contains("count 'many'"))
    assert(
      refusal("a.B m new a.C#x()V a.D 1").contains("target 'a.C#x()V' of a new must be a class")
    )
    assert(refusal("a.B m call a.C a.D#x 1").contains("must be class#name(arguments)result"))
    assert(
      refusal("a.B m call a.C#x()V a.D 1").contains("ours 'a.D' of a call must be class#method")
    )
    assert(refusal("a.B m prologue a.C a.D#x 1").contains("target 'a.C' of a prologue must be '-'"))
    assert(refusal("a.B m prologue - - 1").contains("ours '-' of a prologue"))
  }

  test("the same site twice is refused, since its counts would both be wrong") {
    assert(refusal(s"$New\n# between\n$New").contains(
      "x.sites:3: the same site stands at line 1 already"
    ))
  }

  test("a list without a site is refused") {
    assert(refusal("# nothing\n").contains("no site in it"))
  }

  test("a site's text reads back as the same site") {
    val name = Gen.resize(12, Gen.nonEmptyListOf(Gen.alphaChar)).map(_.mkString)
    val clazz = Gen.resize(3, Gen.nonEmptyListOf(name)).map(_.mkString("."))
    val descriptor = Gen.oneOf("()V", "(IJ)Ljava/lang/String;", "([La/B;Z)D")
    val method = Gen.oneOf(name, name.flatMap(n => descriptor.map(n + _)))
    val newSite = for { t <- clazz; o <- Gen.oneOf(clazz, Gen.const("-")) } yield s"new $t $o"
    val callSite = for {
      t <- clazz; n <- name; d <- descriptor; o <- clazz; m <- name
    } yield s"call $t#$n$d $o#$m"
    val prologue = for { o <- clazz; m <- name } yield s"prologue - $o#$m"
    val line = for {
      c <- clazz
      m <- method
      rest <- Gen.oneOf(newSite, callSite, prologue)
      count <- Gen.choose(1, 99)
    } yield s"$c $m $rest $count"
    forAll(line) { text =>
      val site = Site.parse(text)
      assert(site.toString == text)
      assert(Site.parse(site.toString) == site)
    }
  }
}
