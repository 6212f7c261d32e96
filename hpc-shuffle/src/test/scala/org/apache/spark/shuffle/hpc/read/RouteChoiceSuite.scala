package org.apache.spark.shuffle.hpc.read

import com.codahale.metrics.Counter
import org.apache.spark.scheduler.MapStatus
import org.apache.spark.storage.BlockManagerId
import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.container.Block

class RouteChoiceSuite extends AnyFunSuite {
  import RouteChoice.Work

  private val small = Work(blocks = 64, reads = 64, bytes = 64 << 10, isOpen = false)
  private val large = Work(blocks = 9, reads = 9, bytes = 9 << 20, isOpen = false)
  private val ms = 1000000L

  private var seconds = 100L
  private val switches = new Counter
  private def choice = new RouteChoice(switches, () => seconds * 1000 * ms)

  test("blocks of 256 KiB and more are read from the file system, others asked of their owner") {
    val first = choice
    assert(!first.isDirect("1", small))
    assert(first.isDirect("1", large))
    val edge = Work(blocks = 36, reads = 36, bytes = 9 << 20, isOpen = true)
    assert(first.isDirect("1", edge))
    assert(!first.isDirect("1", edge.copy(bytes = edge.bytes / 2)))
  }

  test("small blocks that come with few reads are read from the file system") {
    assert(choice.isDirect("1", small.copy(reads = 4, isOpen = true)))
  }

  test(
    "an owner that is slow is asked no more until that is forgotten, and no other owner suffers"
  ) {
    val its = choice
    for (_ <- 1 to 5) {
      assert(!its.isDirect("1", small))
      its.tookNetwork("1", small, 1000 * ms)
    }
    assert(its.isDirect("1", small) && switches.getCount == 1)
    assert(!its.isDirect("2", small))
    seconds += 11
    assert(!its.isDirect("1", small))
  }

  test("a file system that is slow isn't read until that is forgotten") {
    val its = choice
    for (_ <- 1 to 5) {
      assert(its.isDirect("1", large))
      its.tookDirect(large, 1000 * ms)
    }
    assert(!its.isDirect("1", large))
    assert(!its.isDirect("2", large))
    seconds += 11
    assert(its.isDirect("1", large))
  }

  test("when both are slow it is as if none were; one slow request decides nothing") {
    val its = choice
    for (_ <- 1 to 5) {
      its.tookNetwork("1", small, 20 * ms)
      its.tookDirect(small, 300 * ms)
    }
    assert(!its.isDirect("1", small))
    assert(its.isDirect("1", large))
    for (slow <- Seq(20, 20, 2000, 20, 20)) its.tookNetwork("2", small, slow * ms)
    assert(!its.isDirect("2", small))
  }

  private val place = BlockManagerId("1", "host", 1)

  test("sizes are those of the map statuses, also when these are replaced") {
    def statuses(length: Long): Array[MapStatus] =
      Array(7L, 8L).map(MapStatus(place, Array(length, 0L, length), _)) :+ null
    var present: Option[Array[MapStatus]] = None
    val sizes = new OutputSizes(_ => present)
    def bytes: Option[Long] = sizes.of(3, Seq(Block(7, 0, 1), Block(8, 0, 3), Block(9, 0, 1)))
    assert(bytes.isEmpty)
    for (length <- Seq(1000L, 5000L)) {
      present = Some(statuses(length))
      // Spark keeps lengths as logarithms.
      assert(math.abs(bytes.get - 3 * length) < length / 2)
    }
  }
}
