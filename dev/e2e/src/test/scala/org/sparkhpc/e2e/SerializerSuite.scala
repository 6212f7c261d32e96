package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** Java's and Kryo's serialization of shuffles, sorts and cached blocks. */
class SerializerSuite extends AnyFunSuite with Scratch {

  private def results(run: Run): Seq[String] = {
    assert(run.exit == 0, run)
    for ((name, serializer) <- SerializerSuite.expected)
      assert(Apps.result(run, s"$name.serializer") == serializer, run)
    SerializerSuite.expected.keys.toSeq.map(name => Apps.result(run, s"$name.results"))
  }

  private def run(name: String, dist: Dist, master: String): Run =
    Submit(dist.placedIn(scratch.resolve(name)), master, "Serializers").run(scratch)

  test("both give what stock Spark gives, on patched executors") {
    val patched = run("patched", Dist.patched, "local-cluster[1,2,1024]")
    // One application for each serializer.
    PatchReport.assertPatched(patched, Seq.fill(2)(Seq("0", "driver")).flatten: _*)
    val stock = run("stock", Dist.stock, "local[2]")
    PatchReport.assertStock(stock, "driver", "driver")
    val answers = (results(patched) ++ results(stock)).distinct
    assert(answers.size == 1, patched)
    assert(answers.head.startsWith("20000 "), patched)
  }
}

object SerializerSuite {
  private val expected = Map("java" -> "JavaSerializer", "kryo" -> "KryoSerializer")
}
