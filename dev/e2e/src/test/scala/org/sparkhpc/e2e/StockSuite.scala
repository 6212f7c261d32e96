package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** The stock distribution: what the others assert is false there, and it is otherwise the same. */
class StockSuite extends AnyFunSuite with Scratch {

  private lazy val dist = Dist.stock.placedIn(scratch.resolve("dist"))

  test("it holds Spark's own jars where we patch them, none of ours, and the same otherwise") {
    val patched = Dist.patched.jars
    val stock = Dist.stock.jars
    for (module <- Dist.PatchedModules) {
      def of(jars: Set[String]): Set[String] = jars.filter(_.startsWith(module + "_"))
      assert(of(patched) == Set(s"${module}_2.12-${Dist.version}.jar"))
      assert(of(stock) == Set(s"${module}_2.12-${Dist.sparkVersion}.jar"))
    }
    assert(stock.forall(!_.contains("hpc")))
    assert(
      patched.filterNot(_.contains("hpc")) ==
        stock.filterNot(jar => Dist.PatchedModules.exists(module => jar.startsWith(module + "_")))
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
