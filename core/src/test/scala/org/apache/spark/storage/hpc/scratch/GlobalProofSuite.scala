package org.apache.spark.storage.hpc.scratch

import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit

import org.apache.commons.io.FileUtils
import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.tier.{FileSystemKind, Tier}

class GlobalProofSuite extends AnyFunSuite {

  private def below(test: Path => Unit): Unit = {
    val folder = Files.createTempDirectory("proof")
    try test(folder)
    finally FileUtils.deleteDirectory(folder.toFile)
  }

  /** A process's own directory in a tier. */
  private def tier(parent: Path): Tier = {
    val own = Files.createTempDirectory(Files.createDirectories(parent), "spark-hpc-").toFile
    new Tier("global", "lustre", FileSystemKind.Shared, own, Long.MaxValue, None)(_ => own)
  }

  private def tokenOf(driver: Tier): TokenQuestion = TokenQuestion.write(driver)

  private def asTold(token: TokenQuestion): Map[String, String] =
    Map(token.parent -> s"${token.name} ${token.words}")

  /** Whether it is proven, with a second between the looks. */
  private def prove(
      tier: Tier,
      ofDriver: Map[String, String],
      isSeenByDriver: TokenQuestion => Boolean,
      eachSecond: Int => Unit = _ => ()
  ): Boolean = {
    var seconds = 0
    def pause(): Unit = {
      seconds += 1
      eachSecond(seconds)
    }
    val clock = () => TimeUnit.SECONDS.toNanos(seconds.toLong)
    new GlobalProof(Seq(tier), ofDriver, isSeenByDriver, clock, _ => pause()).prove(tier)
    tier.isProven
  }

  test("a directory in which each finds the other's token is global") {
    below { folder =>
      assert(prove(tier(folder), asTold(tokenOf(tier(folder))), _.isAnswered))
    }
  }

  test("the same path with another directory on the driver's node is this node's own") {
    below { folder =>
      val (here, there) = (folder.resolve("here"), folder.resolve("there"))
      val driver = tier(there)
      // What is `here` for the executor, the driver finds `there`.
      val told = asTold(tokenOf(driver).copy(parent = here.toString))
      def asDriver(question: TokenQuestion): Boolean =
        question.copy(parent = there.toString).isAnswered
      assert(!prove(tier(here), told, asDriver))
      // Nor if it leads one way only: what the driver writes comes here, ours doesn't go there.
      mirror(driver, here)
      var asked = 0
      assert(!prove(
        tier(here),
        told,
        question => {
          asked += 1
          asDriver(question)
        }
      ))
      assert(asked > 0)
    }
  }

  private def mirror(driver: Tier, to: Path): Unit =
    FileUtils.copyDirectory(driver.directory, to.resolve(driver.directory.getName).toFile)

  test("a token that is late by a second is waited for, on either side") {
    below { folder =>
      val (early, late) = (folder.resolve("early"), folder.resolve("late"))
      val driver = tier(early)
      val told = asTold(tokenOf(driver).copy(parent = late.toString))
      assert(prove(tier(late), told, _.isAnswered, second => if (second == 1) mirror(driver, late)))
      var seconds = 0
      assert(prove(tier(late), told, _ => seconds == 1, seconds = _))
    }
  }

  test("the driver is asked few times, however long its answer is no") {
    below { folder =>
      val its = tier(folder)
      val told = asTold(tokenOf(tier(folder)))
      var asked, waited = 0L
      val isSeen = (_: TokenQuestion) => {
        asked += 1
        false
      }
      val clock = () => TimeUnit.MILLISECONDS.toNanos(waited)
      new GlobalProof(Seq(its), told, isSeen, clock, millis => waited += millis).prove(its)
      assert(!its.isProven && waited >= 10000 && asked < 10, s"$asked questions in $waited ms")
    }
  }

  test("where the driver has no such tier, or no answer, the tier is this node's own") {
    below { folder =>
      assert(!prove(tier(folder), Map.empty, _ => fail("asked for nothing")))
      val told = asTold(tokenOf(tier(folder)))
      assert(!prove(tier(folder), told, _ => throw new IllegalStateException("as told")))
    }
  }
}
