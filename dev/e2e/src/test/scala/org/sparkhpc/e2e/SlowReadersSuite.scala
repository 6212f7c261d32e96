package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** An executor of 512 MB whose map outputs 48 others have asked for and don't read: a GB. */
class SlowReadersSuite extends AnyFunSuite with Scratch {

  private def shared(at: String) =
    Seq("spark.hpc.shuffle.placement" -> "global", "spark.hpc.shuffle.directory" -> at)

  private val ways = Seq[(String, Dist, String => Seq[(String, String)])](
    ("of stock Spark", Dist.stock, _ => Nil),
    ("in its own scratch", Dist.patched, _ => Nil),
    ("in a shared directory", Dist.patched, shared)
  )

  for ((where, dist, settings) <- ways)
    test(s"slow readers take no heap of who serves them: map outputs $where") {
      // Each block is sent as it was written.
      val all = settings(directory("shared").toString) ++
        Seq("spark.shuffle.compress" -> "false", "spark.executor.memory" -> "512m")
      val run = Submit(dist, "local-cluster[1,2,512]", "SlowReaders", all).run(scratch)
      assert(run.exit == 0, run)
      def result(name: String): String = Apps.result(run, name)
      val bytes = 8 * 160 * (16 << 10)
      assert(result("read") == bytes.toString && result("again") == bytes.toString, run)
      assert(result("lost") == "0", run)
      assert(result("blocks") == (8 * 160).toString, run)
      // All of them, and not one failed.
      assert(result("received").matches("""\(0,\d+\)"""), run)
      assert(result("received").drop(3).dropRight(1).toLong > bytes, run)
      assert(result("heap.mb").toInt < 256, run)
    }
}
