package org.sparkhpc.tier

import java.io.File

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class ScratchListSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private def wrong(list: String): String = ScratchList.parse(list).swap.getOrElse("nothing")

  test("a list is parsed in its order, with sizes in Spark's units") {
    val list =
      "memory:/dev/shm?capacity=8g, burst:$DW_JOB_STRIPED,local:/a?reserve=1GB&capacity=512m," +
        "global:${SCRATCH}/spark"
    assert(ScratchList.parse(list) == Right(Seq(
      ScratchEntry("memory", "/dev/shm", capacity = Some(8L << 30)),
      ScratchEntry("burst", "$DW_JOB_STRIPED"),
      ScratchEntry("local", "/a", capacity = Some(512L << 20), reserve = Some(1L << 30)),
      ScratchEntry("global", "${SCRATCH}/spark")
    )))
  }

  test("each thing that can be wrong is named, with its remedy") {
    assert(wrong("tmpfs:/dev/shm").contains("'tmpfs' in 'tmpfs:/dev/shm' is no kind of tier"))
    assert(wrong("local:/a,local:b").contains("'b' in 'local:b' is no absolute path"))
    assert(wrong("local:/a?size=1g").contains("'size' in 'local:/a?size=1g' is no option"))
    assert(wrong("memory").contains("write kind:directory"))
    for (list <- Seq("", "local:/a,", ",")) assert(wrong(list).contains("'' is no tier"))
    val sizes =
      Seq("capacity=0", "capacity=-1", "capacity=much", "capacity", "reserve=", "reserve=1x")
    for (size <- sizes :+ "capacity=1g&capacity=2g" :+ "capacity=999999999999t")
      assert(wrong(s"local:/a?$size").contains("must be a number of bytes"), size)
    for (count <- Seq("0", "-2", "all", "", "10000", "4&stripes=4"))
      assert(
        wrong(s"global:/a?stripes=$count").contains("must be a number of stripes or -1"),
        count
      )
  }

  private def directories(list: String, variables: (String, String)*): Either[String, Seq[File]] =
    ScratchList.directories(ScratchList.parse(list).toOption.get, variables.toMap.get)

  test("variables get the node's values; what is unset, relative or there twice is refused") {
    val all = "local:$TMP/a,global:${SCRATCH}b"
    assert(
      directories(all, "TMP" -> "/t$x\\", "SCRATCH" -> "/s/") ==
        Right(Seq(new File("/t$x\\/a"), new File("/s/b")))
    )
    def wrong(variables: (String, String)*): String =
      directories(all, variables: _*).swap.toOption.get
    assert(wrong("TMP" -> "/t").contains("$SCRATCH isn't set on this node"))
    assert(wrong("TMP" -> "", "SCRATCH" -> "/s").contains("$TMP isn't set on this node"))
    assert(
      wrong("TMP" -> "t", "SCRATCH" -> "/s").contains("'t/a' in 'local:$TMP/a' is no absolute")
    )
    val twice = directories("local:/a/b,global:$X/b/../b/", "X" -> "/a").swap.toOption.get
    assert(twice.contains("/a/b stands there twice"))
  }

  private val entries = for {
    label <- Gen.oneOf(ScratchList.Labels)
    start <- Gen.oneOf("/", "$", "${SCRATCH}/")
    name <- Gen.nonEmptyListOf(Gen.oneOf("aZ9/_-. =&:")).map(_.mkString.trim)
    capacity <- Gen.option(Gen.choose(1L, 999999999999L))
    reserve <- Gen.option(Gen.choose(0L, 999999999999L))
    stripes <- Gen.option(Gen.oneOf(-1, 1, 9999))
  } yield ScratchEntry(label, start + name, capacity, reserve, stripes)

  test("what is printed is parsed as it was") {
    forAll(Gen.nonEmptyListOf(entries)) { list =>
      assert(ScratchList.parse(list.mkString(",")) == Right(list))
    }
  }

  test("whatever is written, there are tiers or a reason") {
    val pieces =
      Gen.oneOf("memory", "local", ":", "/", "?", "&", "=", ",", "capacity", "1", "g", "$", " ")
    forAll(Gen.listOf(pieces).map(_.mkString)) { list =>
      ScratchList.parse(list) match {
        case Right(entries) => assert(ScratchList.parse(entries.mkString(",")) == Right(entries))
        case Left(reason) => assert(reason.contains("; ") || reason.contains("must be"))
      }
    }
  }
}
