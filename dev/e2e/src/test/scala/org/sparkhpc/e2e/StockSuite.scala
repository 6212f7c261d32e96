package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** The stock distribution: what the others assert is false there, and it is otherwise the same. */
class StockSuite extends AnyFunSuite with Scratch {

  private lazy val dist = Dist.stock.placedIn(scratch.resolve("dist"))

  test("it holds Spark's own spark-core, none of our jars, and the same otherwise") {
    val patched = Dist.patched.jars
    val stock = Dist.stock.jars
    assert(
      patched.filter(_.startsWith("spark-core_")) == Set(s"spark-core_2.12-${Dist.version}.jar")
    )
    assert(
      stock.filter(_.startsWith("spark-core_")) == Set(s"spark-core_2.12-${Dist.sparkVersion}.jar")
    )
    assert(stock.forall(!_.contains("hpc")))
    assert(
      patched.filterNot(_.contains("hpc")) == stock.filterNot(_.startsWith("spark-core_"))
    )
  }

  test("its executors run Spark's own classes, as spark-shell sees them") {
    val run = Run(
      Seq(
        dist.bin("spark-shell"),
        "--master",
        "local-cluster[2,1,1024]",
        "--conf",
        "spark.ui.enabled=false"
      ),
      scratch,
      input = ShellSuite.script
    )
    assert(
      ShellSuite.answers(run) == Seq(
        "0 org.apache.spark.storage.BlockManager",
        "1 org.apache.spark.storage.BlockManager"
      ),
      run
    )
  }

  test("PatchCheck fails there") {
    val run = Run(
      Seq(
        dist.bin("spark-submit"),
        "--master",
        "local-cluster[2,1,1024]",
        "--conf",
        "spark.ui.enabled=false",
        "--class",
        "org.apache.spark.examples.hpc.PatchCheck",
        Dist.patched.examplesJar.toString,
        "--executors",
        "2"
      ),
      scratch
    )
    assert(run.exit != 0, run)
    PatchReport.assertStock(run, "0", "1", "driver")
  }
}
