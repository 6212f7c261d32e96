package org.apache.spark.shuffle.hpc

import java.io.ObjectOutputStream
import java.util.concurrent.{CompletableFuture, TimeUnit}
import java.util.concurrent.atomic.AtomicLong

import scala.util.Try

import org.apache.spark.{HashPartitioner, SparkContext, SparkException, TaskContext}
import org.apache.spark.memory.{MemoryConsumer, MemoryMode, TaskMemoryManager}
import org.scalatest.funsuite.AnyFunSuite

/** Another memory consumer of a map task gets what the buckets of its output hold. */
class BucketsMemorySuite extends AnyFunSuite with ShuffleJobs {
  import BucketsMemorySuite._

  private val reducers = 50

  private def withLittle[A](settings: (String, String)*)(test: SparkContext => A): A =
    withContext(
      Seq(
        "spark.local.dir" -> shared.toString,
        "spark.unsafe.exceptionOnMemoryLeak" -> "true",
        "spark.shuffle.spill.initialMemoryThreshold" -> "1000",
        "spark.shuffle.compress" -> "false",
        "spark.testing.memory" -> "10000000",
        "spark.testing.reservedMemory" -> "0"
      ) ++ settings: _*
    )(test)

  private val random = new scala.util.Random(1)
  private val words = Seq.fill(4000)(random.nextInt(100) -> random.alphanumeric.take(500).mkString)

  private val asWritten = {
    val by = new HashPartitioner(reducers)
    (0 until reducers).map(reducer => words.filter(r => by.getPartition(r._1) == reducer))
  }

  private def sent(sc: SparkContext)(computed: Iterator[(Int, String)] => Iterator[(Int, Any)]) = {
    val records = sc.parallelize(words, 1).mapPartitions(computed)
    records.partitionBy(new HashPartitioner(reducers)).glom().collect()
      .map(_.map { case (key, value) => key -> value.toString }.toSeq).toSeq
  }

  test("between records, the task's thread gets all memory") {
    withLittle() { sc =>
      reset()
      val got = sent(sc) { records =>
        val other = new Other(TaskContext.get.taskMemoryManager)
        records.zipWithIndex.map { case (record, n) =>
          if (n % 1000 == 999) other.takeAll()
          record
        }
      }
      assert(got == asWritten)
      assert(held.get > 0 && short.get == 0)
    }
  }

  test("in the middle of a record, the task's thread gets all memory") {
    withLittle() { sc =>
      reset()
      val got = sent(sc) { records =>
        new Other(TaskContext.get.taskMemoryManager)
        records.map { case (key, value) => key -> new Asking(value) }
      }
      assert(got == asWritten)
      assert(held.get > 0 && short.get == 0)
    }
  }

  test("another thread for which the task's thread waits gets all memory") {
    withLittle() { sc =>
      reset()
      val got = sent(sc) { records =>
        val other = new Other(TaskContext.get.taskMemoryManager)
        records.zipWithIndex.map { case (record, n) =>
          if (n % 1000 == 999)
            CompletableFuture.runAsync(() => other.takeAll()).get(60, TimeUnit.SECONDS): Unit
          record
        }
      }
      assert(got == asWritten)
      assert(held.get > 0 && short.get == 0)
    }
  }

  test("another thread that asks all the time gets all memory, and the output is whole") {
    withLittle() { sc =>
      reset()
      val got = sent(sc) { records =>
        val other = new Other(TaskContext.get.taskMemoryManager)
        @volatile var isOver = false
        val asking = CompletableFuture.runAsync(() => while (!isOver) other.takeAll())
        new Iterator[(Int, String)] {
          override def hasNext: Boolean = records.hasNext || {
            isOver = true
            asking.get(60, TimeUnit.SECONDS)
            false
          }
          override def next(): (Int, String) = records.next()
        }
      }
      assert(got == asWritten)
      assert(short.get == 0)
    }
  }

  test("a task whose spill failed fails, though who asked for the memory goes on") {
    withLittle() { sc =>
      reset()
      val failure = intercept[SparkException] {
        sent(sc) { records =>
          val other = new Other(TaskContext.get.taskMemoryManager)
          records.zipWithIndex.map { case (record, n) =>
            if (n == 2000) {
              // Its spill writes to a channel, which this closes.
              Thread.currentThread.interrupt()
              assert(Try(other.takeAll()).isFailure)
              Thread.interrupted()
            }
            record
          }
        }
      }
      assert(failure.getMessage.contains("A spill of this map output failed"))
      assert(!filesBelow(shared).exists(_.getFileName.toString.startsWith("temp_shuffle")))
    }
  }

  test("buckets hold eight pages, of however much memory") {
    withLittle("spark.buffer.pageSize" -> "32k") { sc =>
      reset()
      val got = sent(sc) { records =>
        val memory = TaskContext.get.taskMemoryManager
        records.map { record =>
          held.accumulateAndGet(memory.getMemoryConsumptionForThisTask, math.max): Unit
          record
        }
      }
      assert(got == asWritten)
      assert(held.get == 8 * 32 * 1024)
    }
  }
}

private object BucketsMemorySuite {

  /** Most that was held by others than who asked; how often somebody got less than all memory. */
  val held, short = new AtomicLong

  @volatile private var asked: Other = _

  def reset(): Unit = Seq(held, short).foreach(_.set(0))

  /** Takes all that it can have, and gives it back. */
  final class Other(memory: TaskMemoryManager) extends MemoryConsumer(memory, MemoryMode.ON_HEAP) {
    asked = this
    private val all = take()

    private def take(): Long = {
      val got = acquireMemory(Int.MaxValue.toLong)
      freeMemory(got)
      got
    }

    def takeAll(): Unit = {
      held.accumulateAndGet(memory.getMemoryConsumptionForThisTask, math.max)
      if (take() < all) short.incrementAndGet(): Unit
    }

    override def spill(size: Long, trigger: MemoryConsumer): Long = 0
  }

  /** Now and then somebody asks while it is serialized by the map task, after part of it was written. */
  final class Asking(word: String) extends Serializable {
    override def toString: String = word

    private def writeObject(out: ObjectOutputStream): Unit = {
      out.defaultWriteObject()
      out.writeObject(word * 20)
      if (TaskContext.get != null && word.hashCode % 1000 == 0) asked.takeAll()
    }
  }
}
