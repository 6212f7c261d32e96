package org.apache.spark.storage.hpc.cache

import java.util.concurrent.{ConcurrentLinkedQueue, CountDownLatch, Executors, TimeUnit}

import scala.collection.JavaConverters._

import org.apache.spark.storage.RDDBlockId
import org.scalatest.funsuite.AnyFunSuite

class LateReportsSuite extends AnyFunSuite {
  private val block = RDDBlockId(1, 0)

  private def withReports(test: LateReports => Unit): Unit = {
    val reports = new LateReports
    try test(reports)
    finally reports.stop()
  }

  test("reports are sent in order, and awaited block by block") {
    withReports { reports =>
      val sent = new ConcurrentLinkedQueue[Int]
      val gate = new CountDownLatch(1)
      reports.later(block) {
        gate.await()
        sent.add(1): Unit
      }
      reports.later(block)(sent.add(2): Unit)
      reports.await(RDDBlockId(1, 1))
      assert(sent.isEmpty)
      gate.countDown()
      reports.await(block)
      assert(sent.asScala.toSeq == Seq(1, 2))
    }
  }

  test("a report that fails keeps nobody waiting, nor the next one") {
    withReports { reports =>
      var sent = false
      reports.later(block)(throw new IllegalStateException("the driver is gone"))
      reports.await(block)
      reports.later(block) { sent = true }
      reports.await(block)
      assert(sent)
    }
  }

  test("nobody waits for what is never sent, since all is being stopped") {
    val reports = new LateReports
    val gate = new CountDownLatch(1)
    reports.later(block)(gate.await())
    reports.later(RDDBlockId(1, 1))(())
    val waiting = Executors.newSingleThreadExecutor()
    val waited = waiting.submit { () =>
      reports.await(RDDBlockId(1, 1))
      true
    }
    reports.stop()
    assert(waited.get(30, TimeUnit.SECONDS))
    waiting.shutdown()
  }
}
