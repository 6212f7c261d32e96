package org.sparkhpc.retain

import org.scalatest.funsuite.AnyFunSuite

class DiskSpeedSuite extends AnyFunSuite {

  test("until something is measured, the disk is as fast as is assumed") {
    val speed = new DiskSpeed(3.0, nanosPerBlock = 0)
    assert(speed.nanosToWrite(100) == 300 && speed.nanosToRead(100, rdd = 7) == 300)
  }

  test("measurements are averaged, and then the old ones fade") {
    val speed = new DiskSpeed(4.0, nanosPerBlock = 0)
    speed.wrote(100000, 200000)
    assert(speed.nanosToWrite(100) == 300)
    for (_ <- 1 to 100) speed.wrote(100000, 200000)
    assert(math.abs(speed.nanosToWrite(100) - 200) < 1)
    assert(speed.nanosToRead(100) == 400)
  }

  test("one measurement far above the others changes little, many do") {
    val speed = new DiskSpeed(1.0, nanosPerBlock = 0)
    for (_ <- 1 to 20) speed.read(100000, 100000)
    speed.read(100000, 1000000000)
    assert(speed.nanosToRead(100) < 150)
    for (_ <- 1 to 100) speed.read(100000, 1000000000)
    assert(speed.nanosToRead(100) > 900000)
  }

  test("what serializing an RDD's elements takes is its own") {
    val speed = new DiskSpeed(1.0, nanosPerBlock = 0)
    speed.sampled(1, 100, nanosToWrite = 500, nanosToRead = 900)
    assert(speed.isSampled(1) && !speed.isSampled(2))
    assert(speed.nanosToWrite(100, 1) == 600 && speed.nanosToRead(100, 1) == 1000)
    assert(speed.nanosToWrite(100, 2) == 100)
    // The first sample holds, until blocks are written and read.
    speed.sampled(1, 100, 0, 0)
    assert(speed.nanosToWrite(100, 1) == 600)
    for (_ <- 1 to 200) speed.wrote(100000, 800000, 1)
    assert(math.abs(speed.nanosToWrite(100, 1) - 800) < 1)
    // The disk's own part is 3 a byte, for others as well.
    assert(math.abs(speed.nanosToWrite(100, 2) - 300) < 1)
    speed.forget(1)
    assert(!speed.isSampled(1))
  }

  test("a file takes its time, however small the block is") {
    val speed = new DiskSpeed(1.0, nanosPerBlock = 5000)
    assert(speed.nanosToWrite(100) == 5100 && speed.nanosToRead(300, blocks = 3) == 15300)
    for (_ <- 1 to 100) speed.wrote(100, 70100)
    assert(math.abs(speed.nanosToWrite(100) - 70100) < 100)
    assert(math.abs(speed.nanosToWrite(100, blocks = 10) - 700100) < 1000)
    // The bytes of large blocks still take what they did.
    for (_ <- 1 to 100) speed.wrote(1000000, 1070000)
    assert(math.abs(speed.nanosToWrite(1000000) - 1070000) < 1000)
  }
}
