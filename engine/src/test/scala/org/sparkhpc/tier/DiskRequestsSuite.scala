package org.sparkhpc.tier

import org.scalatest.funsuite.AnyFunSuite

class DiskRequestsSuite extends AnyFunSuite {

  test(
    "a disk hangs when one request takes long, however many don't; that is told once, and its end"
  ) {
    val disk = new HangingDisk
    for (_ <- 1 to 3) {
      disk.requests.during(disk.requests.isStalled)
      disk.pass()
    }
    assert(!disk.requests.isStalled)
    disk.requests.during {
      assert(!disk.requests.isStalled && disk.requests.underWay == 1)
      disk.pass()
      assert(disk.requests.isStalled && disk.requests.isStalled)
      assert(disk.stalls.get == 1 && disk.ends.get == 0)
    }
    assert(!disk.requests.isStalled)
    assert(disk.stalls.get == 1 && disk.ends.get == 1)
  }

  test("the end of a stall that nobody noticed is no news") {
    val disk = new HangingDisk
    disk.requests.during(disk.pass())
    assert(disk.stalls.get == 0 && disk.ends.get == 0)
  }

  test("what is done between two writes is no request, and a request in a request is one") {
    val disk = new HangingDisk
    disk.requests.during {
      disk.requests.except {
        disk.pass()
        assert(!disk.requests.isStalled)
        disk.requests.during {
          disk.pass()
          assert(disk.requests.isStalled)
        }
        assert(disk.requests.underWay == 0)
      }
      disk.requests.during(disk.pass())
      assert(disk.requests.isStalled && disk.requests.underWay == 1)
    }
    assert(disk.requests.underWay == 0)
  }
}
