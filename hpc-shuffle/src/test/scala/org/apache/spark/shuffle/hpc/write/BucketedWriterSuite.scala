package org.apache.spark.shuffle.hpc.write

import java.io.{IOException, ObjectOutputStream}
import java.util.concurrent.atomic.{AtomicInteger, AtomicLong}

import org.apache.spark.{HashPartitioner, ShuffleDependency, SparkContext, TaskContext}
import org.apache.spark.executor.ShuffleWriteMetrics
import org.apache.spark.rdd.RDD
import org.apache.spark.scheduler.{SparkListener, SparkListenerTaskEnd}
import org.apache.spark.shuffle.hpc.ShuffleJobs
import org.scalacheck.Gen
import org.scalacheck.Prop.forAll
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow
import org.scalatestplus.scalacheck.Checkers

/** Outputs for few reducers, which are serialized to buckets in memory. */
class BucketedWriterSuite extends AnyFunSuite with ShuffleJobs with Checkers {

  private def local: (String, String) = "spark.local.dir" -> shared.toString

  private val leaks = "spark.unsafe.exceptionOnMemoryLeak" -> "true"

  private val spilling = Seq(
    "spark.shuffle.spill.initialMemoryThreshold" -> "1000",
    "spark.testing.memory" -> "1500000",
    "spark.testing.reservedMemory" -> "0"
  )

  private def spillsLeft =
    filesBelow(shared).count(_.getFileName.toString.startsWith("temp_shuffle"))

  /** What each reducer gets of one map task. */
  private def sent(
      sc: SparkContext,
      records: Seq[(Int, String)],
      reducers: Int
  ): Seq[Seq[(Int, String)]] =
    sc.parallelize(records, 1).partitionBy(new HashPartitioner(reducers))
      .mapPartitionsWithIndex((reducer, got) => Iterator((reducer, got.toList)))
      // Few tasks read for all reducers: a task for each would cost far more than its records.
      .coalesce(4).collect().sortBy(_._1).map(_._2).toSeq

  private def asWritten(records: Seq[(Int, String)], reducers: Int): Seq[Seq[(Int, String)]] = {
    val by = new HashPartitioner(reducers)
    (0 until reducers).map(reducer => records.filter(r => by.getPartition(r._1) == reducer))
  }

  private val someRecords = Gen.listOf(
    Gen.zip(Gen.choose(0, 40), Gen.oneOf(Gen.alphaNumStr, Gen.const("long" * 5000)))
  )

  for (
    (what, settings) <- ways :+ ("a spill after each third record" ->
      Seq("spark.shuffle.spill.numElementsForceSpillThreshold" -> "3"))
  )
    test(s"each reducer gets its records in their order, with $what", Slow) {
      withContext(settings ++ Seq(local, leaks): _*) { sc =>
        check(
          forAll(someRecords, Gen.choose(1, 200)) { (records: Seq[(Int, String)], reducers: Int) =>
            sent(sc, records, reducers) == asWritten(records, reducers)
          },
          minSuccessful(12)
        )
      }
    }

  test("it is for at most 200 reducers, and nothing that map tasks aggregate") {
    withContext(local) { sc =>
      // Java's serializer: the sort of serialized records would want a task.
      val pairs = sc.range(0, 10).map(n => (Seq(n), n))
      def isBucketed(shuffled: RDD[_]): Boolean = {
        val its = shuffled.dependencies.head.asInstanceOf[ShuffleDependency[Seq[Long], Long, _]]
        val metrics = new ShuffleWriteMetrics
        ShuffleJobs.manager.getWriter(its.shuffleHandle, 0, TaskContext.empty(), metrics)
          .isInstanceOf[BucketedWriter[_, _]]
      }
      assert(isBucketed(pairs.partitionBy(new HashPartitioner(200))))
      assert(!isBucketed(pairs.partitionBy(new HashPartitioner(201))))
      assert(!isBucketed(pairs.reduceByKey(_ + _, 3)))
    }
  }

  test("when memory is short all spill, and no file of it is left") {
    withContext(spilling ++ Seq(local, leaks): _*) { sc =>
      val spilled, written = new AtomicLong
      sc.addSparkListener(new SparkListener {
        override def onTaskEnd(event: SparkListenerTaskEnd): Unit = {
          spilled.addAndGet(event.taskMetrics.diskBytesSpilled)
          written.addAndGet(event.taskMetrics.shuffleWriteMetrics.recordsWritten): Unit
        }
      })
      val random = new scala.util.Random(1)
      val records = Seq.fill(4000)((random.nextInt(100), random.alphanumeric.take(500).mkString))
      assert(sent(sc, records, 50) == asWritten(records, 50))
      assert(spillsLeft == 0)
      sc.listenerBus.waitUntilEmpty()
      assert(spilled.get > 0 && written.get == 4000)
    }
  }

  test("a task that fails in the middle leaves nothing, and the next attempt's output is whole") {
    withContext(Seq(local, leaks, "spark.master" -> "local[2,2]") ++ spilling: _*) { sc =>
      val records = (0 until 2000).map(n => (n, new BucketedWriterSuite.Once(n)))
      val all = sc.parallelize(records, 1).partitionBy(new HashPartitioner(7)).values.map(_.n)
      BucketedWriterSuite.failures.set(0)
      assert(all.collect().toSet == (0 until 2000).toSet)
      assert(BucketedWriterSuite.failures.get == 1)
      assert(spillsLeft == 0)
    }
  }
}

private object BucketedWriterSuite {
  val failures = new AtomicInteger

  /** Number 1999 can't be written the first time, by a task that has read it. */
  final class Once(val n: Int) extends Serializable {
    val filling: String = "0123456789" * 20 + n

    private def writeObject(out: ObjectOutputStream): Unit = {
      val isTask = TaskContext.get() != null
      if (n == 1999 && isTask && failures.compareAndSet(0, 1)) throw new IOException("once")
      out.defaultWriteObject()
    }
  }
}
