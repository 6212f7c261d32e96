package org.apache.spark.shuffle.hpc.read

import java.nio.ByteBuffer
import java.nio.file.Paths

import org.apache.spark.shuffle.hpc.place.ContainerFile
import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.container.{Bytes, ContainerHeader, ContainerIndex, Extent, MapOutput}

class IndexCacheSuite extends AnyFunSuite {

  private def file(number: Int): ContainerFile = ContainerFile(0, Paths.get(s"/c$number"))

  /** The index of a container with a map output of so many partitions. */
  private def index(partitions: Int): ContainerIndex = {
    val header = ContainerHeader(0, 16L << 20)
    val at = header.dataStart
    val lengths = Array.fill(partitions)(300L)
    val record = MapOutput.record(7, Seq(new Extent(at, 304L * partitions)), lengths)
    val all =
      ByteBuffer.allocate(ContainerHeader.Size + record.remaining).put(header.bytes).put(record)
    ContainerIndex.read(new Bytes {
      override def name: String = "test"
      override def read(to: ByteBuffer, position: Long): Int = {
        val from = all.duplicate()
        from.position(math.min(position, all.position().toLong).toInt).limit(all.position())
        val count = math.min(from.remaining, to.remaining)
        from.limit(from.position() + count)
        to.put(from)
        if (count == 0) -1 else count
      }
    })
  }

  private val some = index(1000)

  test("of more than fit, asked for in turn, most that fit are there each time") {
    val cache = new IndexCache(16 * some.weight)
    for (round <- 1 to 3) {
      val found = (0 until 40).count { number =>
        val its = cache.get(file(number))
        if (its.isEmpty) cache.put(file(number), some)
        // While its blocks are read, it is there.
        assert(cache.get(file(number)).contains(some))
        its.nonEmpty
      }
      assert(found == (if (round == 1) 0 else 14))
    }
    assert(cache.bytes > 14 * some.weight && cache.bytes <= 16 * some.weight)
  }

  test("those that nobody asks for any more make room") {
    var now = 0L
    val cache = new IndexCache(16 * some.weight, () => now)
    def kept: Seq[Int] = (0 until 30).filter(number => cache.get(file(number)).nonEmpty)
    for (number <- 0 until 14) cache.put(file(number), some)
    now += 59L * 1000 * 1000 * 1000
    assert(cache.get(file(3)).nonEmpty)
    cache.put(file(20), some)
    now += 2L * 1000 * 1000 * 1000
    cache.put(file(21), some)
    for (number <- 22 until 30) cache.put(file(number), some)
    assert(kept.contains(3) && (21 until 30).forall(kept.contains) && !kept.contains(4))
  }

  test("a newer index of a container is there instead of the older one, also if it has no room") {
    val larger = index(1100)
    // An eighth is for those without room. The rest has room for 17, and a little more than the larger one needs, or less.
    for (room <- Seq(17.05, 17.5)) {
      val cache = new IndexCache((room * some.weight * 8 / 7).toLong)
      for (number <- 1 to 17) cache.put(file(number), some)
      assert(cache.bytes == 17 * some.weight)
      cache.put(file(1), larger)
      assert(cache.get(file(1)).contains(larger))
      cache.forget(file(1))
      assert(cache.get(file(1)).isEmpty && cache.bytes == 16 * some.weight)
    }
  }
}
