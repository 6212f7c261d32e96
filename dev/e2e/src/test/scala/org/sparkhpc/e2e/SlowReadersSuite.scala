package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** An executor of 512 MB whose map outputs 32 others have asked for and don't read: 640 MB. */
class SlowReadersSuite extends AnyFunSuite with Scratch {

  private def submit(dist: Dist, args: String*): Run = {
    // Each block is sent as it was written.
    val settings = Seq("spark.shuffle.compress" -> "false", "spark.executor.memory" -> "512m")
    val run = Submit(dist, "local-cluster[1,2,512]", "SlowReaders", settings, args).run(scratch)
    assert(run.exit == 0, run)
    run
  }

  private def assertNoHeapTaken(run: Run, application: String): Unit = {
    def result(name: String): String = Apps.result(run, s"$application.$name")
    val bytes = 8 * 160 * (16 << 10)
    assert(result("read") == bytes.toString && result("again") == bytes.toString, run)
    assert(result("lost") == "0", run)
    assert(result("blocks") == (8 * 160).toString, run)
    // All of them, and not one failed.
    assert(result("received").matches("""\(0,\d+\)"""), run)
    assert(result("received").drop(3).dropRight(1).toLong > bytes, run)
    assert(result("heap.mb").toInt < 256, run)
  }

  private lazy val stock = submit(Dist.stock)

  /** Two applications, one after the other. */
  private lazy val patched = submit(Dist.patched, directory("shared").toString)

  private def named(where: String): String =
    s"slow readers take no heap of who serves them: map outputs $where"

  test(named("of stock Spark"))(assertNoHeapTaken(stock, "own"))

  test(named("in its own scratch"))(assertNoHeapTaken(patched, "own"))

  test(named("in a shared directory"))(assertNoHeapTaken(patched, "shared"))
}
