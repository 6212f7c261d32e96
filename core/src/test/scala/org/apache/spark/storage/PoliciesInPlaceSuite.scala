package org.apache.spark.storage

import java.io.File

import org.apache.spark.storage.memory.hpc.HpcMemoryStore
import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.retain.DiskSpeed

/** Each policy in a Spark that is short of memory. */
class PoliciesInPlaceSuite extends AnyFunSuite with ShortOfMemory {
  import PoliciesInPlaceSuite._
  import ShortOfMemory._

  private val Policy = "spark.hpc.retention.policy"
  private val Spill = "spark.hpc.retention.spill"

  /** Reads from memory or disk, or computes, all blocks of an RDD some times. */
  private def loop(counted: Counted[Array[Byte]], times: Int): Unit =
    (1 to times).foreach { _ =>
      assert(counted.rdd.map(_.length.toLong).sum() == counted.rdd.getNumPartitions * BlockBytes)
    }

  for (policy <- Seq("lru", "lrc", "loop"); spill <- Seq("auto", "always", "never"))
    test(s"$policy, spill $spill: generations that read the last one come out right") {
      withContext(Policy -> policy, Spill -> spill) { sc =>
        var last = sc.parallelize(0 until 10, 10).map(n => (n.toLong, new Array[Byte](BlockBytes)))
        last = last.cache()
        for (_ <- 1 to 4) {
          val next = last.zipPartitions(last) { (a, b) =>
            a.zip(b).map { case ((n, bytes), (m, _)) => (n + m, bytes.clone()) }
          }
          next.cache().count()
          last.unpersist(blocking = true)
          last = next
        }
        assert(last.map(_._1).sum() == (0L until 10L).sum * 16)
      }
    }

  test(
    "a loop over twice what fits finds a part of it in memory: what is on disk leaves first"
  ) {
    val rounds = 3
    def hits(policy: String): Int = withContext(Policy -> policy) { sc =>
      // Several RDDs, since the blocks of one never give way to each other.
      val all = Seq.fill(10)(new Counted(sc, blocks = 4)(dear(5)))
      all.foreach(loop(_, 1))
      all.foreach(counted => assert(counted.computed() == Seq.fill(4)(1)))
      var hits = 0
      for (_ <- 1 to rounds; counted <- all) {
        hits += (0 until 4).count(n => manager.memoryStore.contains(RDDBlockId(counted.rdd.id, n)))
        loop(counted, 1)
      }
      all.foreach(counted => assert(counted.computed() == Seq.fill(4)(0), policy))
      hits
    }
    // In stock Spark there are none. By lrc the jobs' broadcasts, which nobody cleans here, take more
    // and more of the room: they count as read once.
    for (policy <- Seq("lru", "lrc", "loop")) assert(hits(policy) > rounds * 40 / 8, policy)
  }

  private def inMemory: HpcMemoryStore =
    manager.memoryStore.asInstanceOf[HpcMemoryStore]

  /** Of blocks that are read from disk while memory is full: whether each is in memory afterwards. */
  private def broughtBack(policy: String): Seq[Boolean] = withContext(Policy -> policy) { sc =>
    val read = new Counted(sc)(dear(1)).rdd
    read.count()
    press(sc)
    val onDisk =
      (0 until Blocks).map(RDDBlockId(read.id, _)).filterNot(manager.memoryStore.contains)
    // Without jobs, whose broadcasts would make room; few, since an RDD drives out others only.
    onDisk.take(5).map { id =>
      // As if reading took no time: nothing in memory is worth less than to read this again.
      for (_ <- 1 to 300) inMemory.speed.read(Long.MaxValue / 2, 0, read.id)
      assert(manager.getLocalValues(id).get.data.size == 1)
      manager.memoryStore.contains(id)
    }
  }

  test("what is read from disk drives out what is in memory") {
    for (policy <- Seq("lru", "loop")) {
      val back = broughtBack(policy)
      assert(back.nonEmpty && back.forall(identity), policy)
    }
  }

  /** The files of an RDD that had to leave memory, with a disk of such a speed. */
  private def spilledWith(element: Int => Array[Byte])(measured: DiskSpeed => Unit): Seq[File] =
    withContext(Policy -> "loop", Spill -> "auto") { sc =>
      measured(inMemory.speed)
      val counted = new Counted(sc, blocks = 10)(element)
      loop(counted, 1)
      press(sc)
      val files = spilledFiles(counted.rdd)
      loop(counted, 1)
      files
    }

  test("loop: what computing takes less than reading isn't written") {
    // Years for each byte, and next to nothing: how fast the machine is doesn't matter.
    val dropped = spilledWith(_ => new Array[Byte](BlockBytes)) { speed =>
      for (_ <- 1 to 200) speed.read(1, Long.MaxValue)
    }
    assert(dropped.isEmpty)
    val written = spilledWith(dear(20)) { speed =>
      for (_ <- 1 to 200) {
        speed.read(Long.MaxValue, 1)
        speed.wrote(Long.MaxValue, 1)
      }
    }
    assert(written.nonEmpty)
  }

  test("loop: nothing of an RDD is in the order once it is unpersisted") {
    withContext(Policy -> "loop") { sc =>
      for (_ <- 1 to 5) {
        val counted = new Counted(sc)(_ => new Array[Byte](BlockBytes))
        loop(counted, 2)
        counted.rdd.unpersist(blocking = true)
      }
      var left = 0
      manager.cache.policy.walk { id =>
        left += (if (id.isRDD) 1 else 0)
        true
      }
      assert(left == 0)
    }
  }

  test("a policy that nobody knows is refused with the names of those that are") {
    val refusal = intercept[IllegalArgumentException](withContext(Policy -> "best")(_ => ()))
    assert(refusal.getMessage == s"$Policy is 'best': write loop, lru or lrc")
  }
}

private object PoliciesInPlaceSuite {

  /** What makes an element that takes so many milliseconds to make. */
  def dear(millis: Long)(n: Int): Array[Byte] = {
    Thread.sleep(millis)
    Array.fill(ShortOfMemory.BlockBytes)(n.toByte)
  }
}
