package org.apache.spark.examples.hpc

import org.scalatest.funsuite.AnyFunSuite

class PatchCheckSuite extends AnyFunSuite with LocalMaster {

  test("in local mode the driver is the only process, and it is patched") {
    val ran = run(PatchCheck)
    assert(ran.code == 0, ran)
    assert(ran.err.isEmpty)
    assert(ran.outLines.size == 1)
    assert(ran.out.startsWith("executor=driver host="))
    assert(ran.out.contains(" blockManager=org.apache.spark.storage.hpc.patch.HpcBlockManager "))
    assert(ran.out.contains(s" version=${BuildVersion.here()}"))
    assert(BuildVersion.here() != "stock")
  }

  test("wrong options are refused") {
    assertRefuses(PatchCheck, 2, "--executors -1")("--executors", -1)
    assertRefuses(PatchCheck, 2, "--timeout 0")("--timeout", 0)
  }
}
