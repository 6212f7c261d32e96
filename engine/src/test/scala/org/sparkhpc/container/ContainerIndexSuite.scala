package org.sparkhpc.container

import java.nio.ByteBuffer

import org.scalatest.funsuite.AnyFunSuite

class ContainerIndexSuite extends AnyFunSuite with ContainerFixture {

  private final class Counted(bytes: Bytes) extends Bytes {
    var reads = 0
    var sum = 0L
    override def name: String = bytes.name
    override def read(to: ByteBuffer, position: Long): Int = {
      val count = bytes.read(to, position)
      if (count > 0) {
        reads += 1
        sum += count
      }
      count
    }
  }

  /** What reading the index of a container takes, of so many outputs of so many partitions. */
  private def reading(outputs: Int, partitions: Int): Counted = {
    val part = new Array[Byte](200)
    val path = written(Seq.fill(outputs)(Seq.fill(partitions)(part)))
    val counted = new Counted(ContainerFixture.bytes(path))
    val index = ContainerIndex.read(counted)
    assert(index.damage.isEmpty && index.all.size == outputs)
    assert(index.all.forall(_.lengths(0, partitions).forall(_ == part.length)))
    counted
  }

  test("a small index takes one read") {
    val counted = reading(20, 100)
    assert(counted.reads == 1 && counted.sum == (64 << 10))
  }

  test("a larger one takes few reads, and at most as much again as it has") {
    for ((outputs, reads) <- Seq(4 -> 2, 10 -> 3)) {
      val counted = reading(outputs, 10000)
      assert(counted.reads == reads)
      assert(counted.sum < 2L * outputs * 20000 + (64 << 10))
    }
  }
}
