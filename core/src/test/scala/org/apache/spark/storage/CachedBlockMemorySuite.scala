package org.apache.spark.storage

import java.lang.ref.WeakReference

import scala.reflect.ClassTag

import org.apache.spark.{SparkEnv, TaskContext}
import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}

class CachedBlockMemorySuite extends AnyFunSuite with Eventually with ShortOfMemory {
  import CachedBlockMemorySuite._

  implicit override val patienceConfig: PatienceConfig = PatienceConfig(Span(30, Seconds))

  test(
    "a block in memory doesn't keep what computed it: its task, and the RDDs that were sent with that"
  ) {
    withContext() { sc =>
      sc.parallelize(0 until 1, 1).foreach(_ => put())
      assert(SparkEnv.get.blockManager.memoryStore.contains(Block))
      eventually {
        System.gc()
        assert(computation.get == null)
      }
    }
  }
}

object CachedBlockMemorySuite {
  private val Block = RDDBlockId(1000, 0)

  // What the block was computed by; local mode's tasks are in this process.
  @volatile private var computation: WeakReference[AnyRef] = _

  private def put(): Unit = {
    val compute = new (() => Iterator[Array[Byte]]) {
      override def apply(): Iterator[Array[Byte]] = Iterator(new Array[Byte](1000))
    }
    computation = new WeakReference(compute)
    val task = TaskContext.get().taskAttemptId()
    val tag = ClassTag[Array[Byte]](classOf[Array[Byte]])
    SparkEnv.get.blockManager
      .getOrElseUpdateRDDBlock(task, Block, StorageLevel.MEMORY_ONLY, tag, compute): Unit
  }
}
