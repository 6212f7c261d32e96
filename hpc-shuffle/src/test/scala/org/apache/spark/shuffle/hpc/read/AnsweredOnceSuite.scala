package org.apache.spark.shuffle.hpc.read

import java.util.concurrent.{ConcurrentLinkedQueue, CountDownLatch, Executors, TimeUnit}

import scala.collection.JavaConverters._

import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.shuffle.BlockFetchingListener
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class AnsweredOnceSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  /** Remembers for which blocks it was answered, and how. */
  private class Answers extends BlockFetchingListener {
    val all = new ConcurrentLinkedQueue[(String, Boolean)]

    override def onBlockFetchSuccess(blockId: String, data: ManagedBuffer): Unit =
      all.add((blockId, true)): Unit

    override def onBlockFetchFailure(blockId: String, failure: Throwable): Unit =
      all.add((blockId, false)): Unit
  }

  private val blocks = Gen.choose(1, 20).map(count => (0 until count).map(_.toString))

  private val answers =
    Gen.listOf(Gen.zip(Gen.choose(0, 25).map(_.toString), Gen.oneOf(true, false)))

  test("each block is answered for once, by the first who does, and then the rest fails") {
    forAll(blocks, answers) { (blocks, given) =>
      val heard = new Answers
      val once = new AnsweredOnce(blocks, heard)
      given.foreach {
        case (id, true) => once.onBlockFetchSuccess(id, null)
        case (id, false) => once.onBlockFetchFailure(id, new Exception)
      }
      val first = blocks.flatMap(id => given.find(_._1 == id))
      assert(heard.all.asScala.toSet == first.toSet && heard.all.size == first.size)
      assert(once.rest == blocks.filterNot(first.map(_._1).contains))
      once.failRest(new Exception)
      assert(heard.all.asScala.map(_._1).toSeq.sorted == blocks.sorted)
      assert(once.rest.isEmpty)
    }
  }

  test("each block is answered for once when many answer at a time") {
    val threads = 8
    val pool = Executors.newFixedThreadPool(threads)
    try
      for (_ <- 1 to 50) {
        val blocks = (0 until 100).map(_.toString)
        val heard = new Answers
        val once = new AnsweredOnce(blocks, heard)
        val start = new CountDownLatch(1)
        val done = new CountDownLatch(threads)
        for (thread <- 0 until threads)
          pool.execute { () =>
            start.await()
            if (thread % 2 == 0) blocks.foreach(once.onBlockFetchSuccess(_, null))
            else once.failRest(new Exception)
            done.countDown()
          }
        start.countDown()
        assert(done.await(60, TimeUnit.SECONDS))
        assert(heard.all.asScala.map(_._1.toInt).toSeq.sorted == (0 until 100))
      }
    finally pool.shutdownNow()
  }
}
