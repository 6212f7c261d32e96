package org.apache.spark.storage

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.{NarrowDependency, SparkContext}
import org.apache.spark.rdd.RDD
import org.sparkhpc.retain.trace.{TraceBlock, TraceEvent}
import org.sparkhpc.retain.trace.TraceEvent._

/** What executors see of the lineage is what the scheduler knows. */
class ObservedLineageSuite extends AnyFunSuite with TracedRuns {

  /** By block, what it was computed from. */
  private def seen(events: Seq[TraceEvent]): Map[TraceBlock, Seq[TraceBlock]] =
    events.collect { case Computed(block, _, reads) => block -> reads.sortBy(_.rdd) }.toMap

  /** The persisted blocks that a partition is computed from, once for each path. */
  private def reads(rdd: RDD[_], partition: Int): Seq[TraceBlock] =
    rdd.dependencies.flatMap {
      case narrow: NarrowDependency[_] =>
        narrow.getParents(partition).flatMap { parent =>
          if (narrow.rdd.getStorageLevel == StorageLevel.NONE) reads(narrow.rdd, parent)
          else Seq(TraceBlock(narrow.rdd.id, parent))
        }
      case _ => Nil
    }

  private def truth(rdds: RDD[_]*): Map[TraceBlock, Seq[TraceBlock]] = {
    for (rdd <- rdds; partition <- 0 until rdd.getNumPartitions)
      yield TraceBlock(rdd.id, partition) -> reads(rdd, partition).sortBy(_.rdd)
  }.toMap

  /** What was seen, and what the scheduler knows of these RDDs. */
  private def compare(settings: (String, String)*)(program: SparkContext => Seq[RDD[_]]): Unit = {
    var expected = Map.empty[TraceBlock, Seq[TraceBlock]]
    val found = seen(traced(settings: _*)(sc => expected = truth(program(sc): _*)))
    assert(expected.nonEmpty && found == expected)
  }

  test("chains, unions, coalesced partitions and what is read twice") {
    compare() { sc =>
      val numbers = sc.parallelize(0 until 100, 4).cache()
      val more = numbers.map(_ + 1).filter(_ % 2 == 0).cache()
      val both = more.union(numbers.map(-_)).cache()
      val few = both.coalesce(2, shuffle = false).cache()
      val twice = more.zipPartitions(more.map(_ * 2), numbers)((a, b, c) => a ++ b ++ c).cache()
      few.count()
      twice.count()
      Seq(numbers, more, both, few, twice)
    }
  }

  test("a shuffle ends it") {
    compare() { sc =>
      val numbers = sc.parallelize(0 until 100, 4).cache()
      val sums = numbers.map(n => (n % 7, n)).reduceByKey(_ + _).cache()
      val joined = sums.mapValues(_ + 1).join(sums).cache()
      joined.count()
      Seq(numbers, sums, joined)
    }
  }

  test("blocks that don't fit and aren't kept, whose values are used later") {
    compare("spark.hpc.retention.spill" -> "never") { sc =>
      val large = sc
        .parallelize(0 until 2, 2)
        .flatMap(n => Iterator.fill(100)(new Array[Byte](ShortOfMemory.BlockBytes)).map(_ => n))
        .map(n => Seq.fill(ShortOfMemory.BlockBytes)(n).toArray)
        .cache()
      val sizes = large.map(_.length).cache()
      sizes.count()
      assert(manager.memoryStore.contains(RDDBlockId(sizes.id, 0)))
      assert(!manager.memoryStore.contains(RDDBlockId(large.id, 0)))
      Seq(sizes, large)
    }
  }

  test("what another thread reads for the task, as for a pipe") {
    compare() { sc =>
      val numbers = sc.parallelize(0 until 100, 4).cache()
      val piped = numbers.map(_.toString).pipe("cat").cache()
      assert(piped.count() == 100)
      Seq(numbers, piped)
    }
  }

  test("what is read only while values are used") {
    val pairs = seen(traced() { sc =>
      val left = sc.parallelize(0 until 3, 1).cache()
      val right = sc.parallelize(0 until 4, 1).cache()
      val pairs = left.cartesian(right).cache()
      assert(pairs.count() == 12)
    })(TraceBlock(2, 0))
    assert(pairs.toSet == Set(TraceBlock(0, 0), TraceBlock(1, 0)))
  }

  test("a request is one that a task makes, and time is a block's own") {
    val millis = 1000L
    var took = 0L
    val events = traced() { sc =>
      val begun = System.nanoTime()
      val slow = sc.parallelize(0 until 1, 1).map { n =>
        Thread.sleep(millis)
        n
      }.cache()
      val quick = slow.map(_ + 1).cache()
      quick.count()
      quick.count()
      took = System.nanoTime() - begun
      slow.unpersist(blocking = true)
    }
    val nanos = events.collect { case Computed(TraceBlock(rdd, _), nanos, _) => rdd -> nanos }.toMap
    val Seq(slow, quick) = nanos.keys.toSeq.sorted
    assert(nanos(slow) >= millis * 1000000)
    // Each nanosecond is one block's, however busy the machine is.
    assert(nanos(slow) + nanos(quick) <= took)
    assert(
      events.collect { case Requested(block, None) => block } == Seq.fill(2)(TraceBlock(quick, 0))
    )
    assert(events.contains(Forgotten(slow)))
  }

  test("what jobs will still read comes from the driver") {
    val pending = traced() { sc =>
      val numbers = sc.parallelize(0 until 100, 4).cache()
      val more = numbers.map(_ + 1).cache()
      more.map(n => (n % 3, n)).reduceByKey(_ + _).union(more.map(n => (n, n))).count()
      // The answer to a stage's question may come when its tasks are over.
      Thread.sleep(1500)
    }.collect { case Referenced(pending) => pending }
    assert(pending.exists(_.nonEmpty))
  }
}
