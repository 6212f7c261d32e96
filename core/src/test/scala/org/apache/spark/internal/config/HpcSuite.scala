package org.apache.spark.internal.config

import java.nio.charset.StandardCharsets
import java.nio.file.{Files, Paths}

import org.apache.spark.{LastWords, SparkConf, SparkContext}
import org.scalatest.funsuite.AnyFunSuite

class HpcSuite extends AnyFunSuite {

  private def refusal(settings: (String, String)*): String =
    intercept[IllegalArgumentException](
      new SparkContext(new SparkConf().setMaster("local").setAppName("refused").setAll(settings))
    ).getMessage

  test("a setting that nobody knows is refused before Spark starts, and the nearest is named") {
    assert(
      refusal("spark.hpc.retention.spil" -> "never") ==
        "spark.hpc.retention.spil (set to 'never') is no setting of Spark-HPC: remove it, or write " +
        "spark.hpc.retention.spill if that was meant"
    )
    assert(refusal("spark.hpc.shufle.placment" -> "global").contains("spark.hpc.shuffle.placement"))
    assert(refusal("spark.hpc.pool" -> "off").contains("spark.hpc.pool."))
  }

  test("a setting's former name is refused with its present one") {
    assert(
      refusal("spark.hpc.shuffle.ownerDeadline" -> "5s") ==
        "spark.hpc.shuffle.ownerDeadline (set to '5s') has another name now: write " +
        "spark.hpc.shuffle.network.timeout"
    )
    assert(refusal("spark.hpc.scratch" -> "auto").endsWith("write spark.hpc.scratch.tiers"))
    val keys = Hpc.settings.map(_.entry.key)
    assert(Hpc.renamed.values.forall(keys.contains) && !Hpc.renamed.keys.exists(keys.contains))
  }

  test("no key begins another one, and one that is true or false says so") {
    val keys = Hpc.settings.map(_.entry.key)
    for (key <- keys) assert(!keys.exists(_.startsWith(s"$key.")), key)
    for (Hpc.Setting(entry, values) <- Hpc.settings)
      assert((values == "`true` or `false`") == entry.key.endsWith(".enabled"), entry.key)
  }

  test("a wrong value is refused with the ones that are right, once") {
    assert(
      refusal("spark.hpc.retention.spill" -> "yes") ==
        "spark.hpc.retention.spill is 'yes': write auto, always or never"
    )
    for (reserve <- Seq("-1", "much"))
      assert(
        refusal("spark.hpc.retention.reserve" -> reserve) ==
          s"spark.hpc.retention.reserve is '$reserve': write a size, such as 2g"
      )
  }

  test("what is refused is the process's last word, until a context starts") {
    val said = refusal("spark.hpc.pool.size" -> "0")
    assert(
      LastWords.now.contains(said) && said.startsWith("spark.hpc.pool.size is '0': write a number")
    )
    val sc = new SparkContext(new SparkConf().setMaster("local").setAppName("not refused"))
    try assert(LastWords.now.isEmpty)
    finally sc.stop()
  }

  test("all settings are in the list, once, with our prefix and a description") {
    val keys = Hpc.settings.map(_.entry.key)
    val declared = Hpc.getClass.getMethods.toSeq
      .filter(its => classOf[ConfigEntry[_]].isAssignableFrom(its.getReturnType))
      .map(_.invoke(Hpc).asInstanceOf[ConfigEntry[_]].key)
    // That one isn't to be set.
    assert(keys.nonEmpty && (keys :+ Hpc.SCRATCH_DECIDED.key).sorted == declared.sorted)
    assert(keys.forall(_.startsWith(Hpc.Prefix)))
    assert(Hpc.settings.forall(_.entry.doc.nonEmpty))
  }

  test("docs/configuration.md is made from the declarations") {
    val page = Seq("docs", "../docs").map(Paths.get(_)).find(Files.isDirectory(_)).get.resolve(
      "configuration.md"
    )
    val expected = ConfigurationPage.text
    val utf8 = StandardCharsets.UTF_8
    if (sys.env.contains("WRITE_CONFIGURATION_PAGE")) {
      Files.write(page, expected.getBytes(utf8))
    }
    val same = new String(Files.readAllBytes(page), utf8) == expected
    assert(same, "dev/make-configuration-page makes it anew")
  }
}
