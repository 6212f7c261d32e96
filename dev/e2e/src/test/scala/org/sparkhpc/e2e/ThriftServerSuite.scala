package org.sparkhpc.e2e

import scala.concurrent.duration._

import org.scalatest.funsuite.AnyFunSuite

/** The Thrift server on an executor, asked by beeline. */
class ThriftServerSuite extends AnyFunSuite with Scratch {

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))
  private val server = "HiveThriftServer2"

  private def start(daemons: Daemons): Run = daemons.script(
    "start-thriftserver.sh",
    "--master",
    "local-cluster[1,2,1024]",
    "--conf",
    "spark.ui.enabled=false",
    "--conf",
    "spark.sql.shuffle.partitions=4",
    "--jars",
    dist.examplesJar.toString,
    "--hiveconf",
    "hive.server2.thrift.bind.host=127.0.0.1",
    "--hiveconf",
    "hive.server2.thrift.port=0"
  )

  private def beeline(port: String, sql: String*): Run = {
    val url = s"jdbc:hive2://127.0.0.1:$port/default"
    val format = Seq("--silent=true", "--outputformat=csv2", "--showHeader=false")
    val run =
      Run(Seq(dist.bin("beeline"), "-u", url) ++ format ++ sql.flatMap(Seq("-e", _)), scratch)
    // Its prompt comes before each statement's first row.
    run.copy(out = run.out.replaceAll("(?m)^0: jdbc:\\S*> ", ""))
  }

  test("tables outlive a client; queries run on a patched executor; errors reach the client") {
    Closing(new Daemons(dist, directory("thrift"))) { daemons =>
      val started = start(daemons)
      assert(started.exit == 0, started)
      // The catalog's tables are made first.
      val port = daemons.said(server, "ThriftBinaryCLIService on port (\\d+)".r, 2.minutes)

      val written = beeline(
        port,
        "create table numbers using parquet as select id, id % 3 as rest from range(0, 300, 1, 4)",
        "create table names using parquet as select id as rest, concat('n', id) as name from range(2)",
        "select * from nowhere"
      )
      assert(written.exit != 0 && written.err.contains("TABLE_OR_VIEW_NOT_FOUND"), written)

      val classes = "reflect('org.apache.spark.examples.hpc.StorageClasses', 'here')"
      val read = beeline(
        port,
        "select name, count(*), sum(id) from numbers join names using (rest) group by name order by name",
        s"select distinct $classes from numbers"
      )
      assert(read.exit == 0, read)
      assert(read.lines.filter(_.startsWith("n")) == Seq("n0,100,14850", "n1,100,14950"), read)
      PatchReport.assertPatched(read, "0")

      val again = start(daemons)
      assert(again.exit == 1 && again.err.contains("already runs"), again)
      daemons.stop("stop-thriftserver.sh"): Unit
      assert(daemons.log(server).contains(s"Spark-HPC ${Dist.version} is in place"))
    }
  }
}
