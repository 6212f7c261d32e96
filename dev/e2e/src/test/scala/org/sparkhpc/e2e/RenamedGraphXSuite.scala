package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** GraphFrames carries a fork of GraphX under a package of its own. Here Spark's GraphX stands in
  * for that fork, renamed to the same package by the build of dev/e2e-apps: docs/decisions/0006.
  */
class RenamedGraphXSuite extends AnyFunSuite with Scratch {

  test("a GraphX under GraphFrames' package runs on a patched executor") {
    val dist = Dist.patched.placedIn(scratch.resolve("dist"))
    val run = Submit(dist, "local-cluster[1,2,1024]", "ForkedGraphX").run(scratch)
    PatchReport.assertPatched(run, "0", "driver")
    assert(Apps.result(run, "graph") == "org.apache.spark.graphframes.graphx.impl.GraphImpl", run)
    assert(Apps.result(run, "first") == "0", run)
    assert(Apps.result(run, "ranks") == "46", run)
    assert(Apps.result(run, "components") == "(0,41) (100,3) (200,2)", run)
  }
}
