package org.sparkhpc.e2e

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

/** spark-sql over Parquet. */
class SqlSuite extends AnyFunSuite with Scratch {

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))
  private lazy val table = scratch.resolve("numbers.parquet")

  private def sql(master: String, args: String*): Run = {
    val command = Seq(
      dist.bin("spark-sql"),
      "--master",
      master,
      "--conf",
      "spark.ui.enabled=false",
      "--jars",
      dist.examplesJar.toString
    )
    Run(command ++ args, scratch)
  }

  test(
    "-e writes Parquet; a statement that fails is exit code 1, and none runs after it; " +
      "-f reads the Parquet, and the executor that reads it is patched"
  ) {
    val written = sql(
      "local[2]",
      "-e",
      s"create table numbers using parquet location '$table' as " +
        "select id, id % 3 as rest, 'a;b' as text from range(0, 300, 1, 8); " +
        "select 'first'; select * from nowhere; select 'third'"
    )
    assert(written.exit == 1, written)
    assert(Files.exists(table.resolve("_SUCCESS")), written)
    assert(written.lines.contains("first") && !written.lines.contains("third"), written)
    assert(written.err.contains("nowhere"), written)

    val file = scratch.resolve("query.sql")
    val classes = "reflect('org.apache.spark.examples.hpc.StorageClasses', 'here')"
    val query =
      s"""-- by remainder; each a line
         |select rest, count(*), sum(id), max(text) from parquet.`$table` group by rest order by rest;
         |select distinct $classes from parquet.`$table`
         |""".stripMargin
    Files.write(file, query.getBytes(UTF_8))
    val read = sql("local-cluster[1,2,1024]", "-f", file.toString)
    assert(
      read.lines.filter(_.contains("a;b")) == Seq(
        "0\t100\t14850\ta;b",
        "1\t100\t14950\ta;b",
        "2\t100\t15050\ta;b"
      ),
      read
    )
    PatchReport.assertPatched(read, "0")
  }
}
