package org.sparkhpc.e2e

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

/** spark-sql over Parquet. */
class SqlSuite extends AnyFunSuite with Scratch {

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))
  private lazy val table = scratch.resolve("numbers.parquet")

  private def sql(args: String*): Run = {
    val command = Seq(
      dist.bin("spark-sql"),
      "--master",
      "local-cluster[2,1,1024]",
      "--conf",
      "spark.ui.enabled=false",
      "--jars",
      dist.examplesJar.toString
    )
    Run(command ++ args, scratch)
  }

  test("-e writes Parquet, -f reads it, and the executors that read it are patched") {
    val written = sql(
      "-e",
      s"create table numbers using parquet location '$table' as " +
        "select id, id % 3 as rest, 'a;b' as text from range(0, 300, 1, 8)"
    )
    assert(written.exit == 0, written)
    assert(Files.exists(table.resolve("_SUCCESS")), written)

    val file = scratch.resolve("query.sql")
    val classes = "reflect('org.apache.spark.examples.hpc.StorageClasses', 'here')"
    val query =
      s"""-- by remainder; each a line
         |select rest, count(*), sum(id), max(text) from parquet.`$table` group by rest order by rest;
         |select distinct $classes from parquet.`$table`
         |""".stripMargin
    Files.write(file, query.getBytes(UTF_8))
    val read = sql("-f", file.toString)
    assert(
      read.lines.filter(_.contains("a;b")) == Seq(
        "0\t100\t14850\ta;b",
        "1\t100\t14950\ta;b",
        "2\t100\t15050\ta;b"
      ),
      read
    )
    val executors = PatchReport.of(read.out).map(_.executor)
    assert(executors.nonEmpty && executors.forall(Set("0", "1")), read)
    PatchReport.assertPatched(read, executors: _*)
  }

  test("a statement that fails is exit code 1, and none runs after it") {
    val run = Run(
      Seq(
        dist.bin("spark-sql"),
        "--master",
        "local[1]",
        "--conf",
        "spark.ui.enabled=false",
        "-e",
        "select 'first'; select * from nowhere; select 'third'"
      ),
      scratch
    )
    assert(run.exit == 1, run)
    assert(run.lines.contains("first") && !run.lines.contains("third"), run)
    assert(run.err.contains("nowhere"), run)
  }
}
