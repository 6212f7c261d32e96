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

  /** For the shell, whose class loader isn't that of `--jars`: both would load the examples. */
  private def classPath: String =
    (ClassData.of(dist).map(_.classPath).toSeq :+ Dist.patched.examplesJar).mkString(":")

  test("its executors run Spark's own classes, as spark-shell sees them, and PatchCheck fails") {
    val run = Run(
      Seq(
        dist.bin("spark-shell"),
        // Of the shell's own context, which gives way to that of PatchCheck.
        "--master",
        "local[1]",
        "--conf",
        "spark.ui.enabled=false",
        "--driver-class-path",
        classPath,
        "--jars",
        Dist.patched.examplesJar.toString
      ),
      scratch,
      input = StockSuite.script
    )
    // A shell whose input ends has exit code 0.
    assert(run.exit == 1 && run.err.contains("PatchCheck: 3 of 3 processes run stock classes"), run)
    PatchReport.assertStock(run, "0", "1", "driver")
  }
}

object StockSuite {

  private val script: String =
    s"""sc.stop()
       |System.setProperty("spark.master", "${Submit.LocalCluster}")
       |org.apache.spark.examples.hpc.PatchCheck.main(Array("--executors", "2"))
       |""".stripMargin
}
