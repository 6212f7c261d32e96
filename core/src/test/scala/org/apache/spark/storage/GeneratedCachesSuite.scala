package org.apache.spark.storage

import scala.annotation.tailrec

import org.scalacheck.Gen
import org.scalacheck.rng.Seed
import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow
import org.scalatest.time.{Seconds, Span}

import org.apache.spark.SparkContext
import org.apache.spark.storage.hpc.cache.SpillCounts
import org.apache.spark.storage.hpc.patch.HpcBlockManager

/** Programs at random that cache more than fits, with failing tasks and damaged files on the way, beside
  * what their elements are without Spark. `dev/cache-fuzz` runs more of them.
  */
class GeneratedCachesSuite extends AnyFunSuite with Eventually with LocalSpark {
  import GeneratedCaches._
  import GeneratedCachesSuite._

  private val programs = sys.props("generated.programs").toInt
  private val seed = sys.props("generated.seed").toLong

  private def draw[A](gen: Gen[A], number: Int): A = {
    val own = new scala.util.Random(seed * 1000003 + number).nextLong()
    gen.pureApply(Gen.Parameters.default, Seed(own))
  }

  private def counts = SparkEnvs.counts

  test(s"$programs generated programs see what they computed (seed $seed)", Slow) {
    val total = new Totals
    val wrong = (0 until programs).grouped(Each).flatMap { numbers =>
      val settings = draw(GeneratedCaches.settings, -1 - numbers.head / Each)
      withSpark(1, common ++ settings: _*) { sc =>
        sc.setLogLevel("WARN")
        val wrong =
          numbers.iterator.flatMap(number => run(sc, settings, number, total)).take(Most).toList
        total.add(counts)
        eventually(timeout(Span(30, Seconds)))(assertNothingLeft())
        sc.setLogLevel("INFO")
        wrong
      }
    }.take(Most).toList
    info(total.toString)
    assert(wrong.isEmpty, wrong.mkString(s"seed $seed\n", "\n\n", ""))
    assert(total.spilling > programs / 4, total)
    // Which files are there when one is damaged depends on what was written meanwhile.
    if (programs >= 500) assert(total.harmed.keySet == Damages.toSet, total)
    assert(total.harmed.nonEmpty, total)
    assert(total.refused > 0 && total.unreadable > 0, total)
  }

  private def run(
      sc: SparkContext,
      settings: Seq[(String, String)],
      number: Int,
      total: Totals
  ): Option[String] = {
    val program = draw(GeneratedCaches.program, number)
    val before = counts.spilledBlocks.getCount
    val run = new GeneratedCacheRun(sc, runs.getAndIncrement(), program)
    val wrong = run.wrong()
    if (counts.spilledBlocks.getCount > before) total.spilling += 1
    run.harmed.foreach(what => total.harmed(what) += 1)
    wrong.map { wrong =>
      val (smallest, last) = shrunk(sc, program, wrong)
      val set = settings.map { case (key, value) => s"$key=$value" }.mkString(" ")
      s"program $number: $last\n$set\n${smallest.lines}"
    }
  }

  /** The smallest found that is wrong as well, when it runs alone. */
  @tailrec private def shrunk(
      sc: SparkContext,
      program: Program,
      wrong: String
  ): (Program, String) = {
    val smaller = program.smaller.toStream.flatMap { smaller =>
      new GeneratedCacheRun(sc, runs.getAndIncrement(), smaller).wrong().map(smaller -> _)
    }.headOption
    smaller match {
      case Some((smaller, wrong)) => shrunk(sc, smaller, wrong)
      case None => (program, wrong)
    }
  }

  private def assertNothingLeft(): Unit = {
    val manager = SparkEnvs.manager
    val left = manager.blockInfoManager.entries.map(_._1).filter(_.isRDD).toSeq
    assert(left.isEmpty && manager.memoryStore.currentUnrollMemory == 0, left)
  }
}

object GeneratedCachesSuite {

  /** So many that were wrong are shown. */
  private val Most = 3

  /** Programs of one application. */
  private val Each = 25

  private val runs = new java.util.concurrent.atomic.AtomicInteger

  private object SparkEnvs {
    def manager: HpcBlockManager =
      org.apache.spark.SparkEnv.get.blockManager.asInstanceOf[HpcBlockManager]
    def counts: SpillCounts = manager.cache.counts
  }

  private final class Totals {
    var spilling = 0
    var blocks, refused, unreadable, copiedAhead, failed = 0L
    val harmed = scala.collection.mutable.Map.empty[String, Int].withDefaultValue(0)

    def add(counts: SpillCounts): Unit = {
      blocks += counts.spilledBlocks.getCount
      copiedAhead += counts.copiedAheadBlocks.getCount
      refused += counts.failedByElements.getCount
      unreadable += counts.unreadableBlocks.getCount
      failed += counts.failedByDisk.getCount + counts.failedByInterrupt.getCount
    }

    override def toString: String =
      s"$spilling programs spilled, $blocks blocks, $copiedAhead of them ahead; refused $refused, " +
        s"failed $failed, unreadable $unreadable; files ${harmed.mkString(", ")}"
  }

  private val common = Seq(
    // Some tasks fail.
    "spark.master" -> "local[4, 4]",
    "spark.testing.reservedMemory" -> "0",
    "spark.memory.fraction" -> "0.5",
    "spark.storage.unrollMemoryThreshold" -> "4096",
    "spark.default.parallelism" -> "2",
    "spark.unsafe.exceptionOnMemoryLeak" -> "true"
  )
}
