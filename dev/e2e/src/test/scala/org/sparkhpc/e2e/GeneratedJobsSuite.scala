package org.sparkhpc.e2e

import java.nio.file.{Files, Paths}

import scala.collection.JavaConverters._

import org.scalacheck.Gen
import org.scalacheck.rng.Seed
import org.scalatest.funsuite.AnyFunSuite

/** Jobs at random, with files damaged, executors killed and jobs cancelled on the way, beside the same
  * ones on stock Spark, where nothing of that happens. `dev/shuffle-fuzz` runs more of them.
  */
class GeneratedJobsSuite extends AnyFunSuite with Scratch {
  import GeneratedJobsSuite._

  private val jobs = Dist.property("generated.jobs").toInt
  private val seed = Dist.property("generated.seed").toLong
  private lazy val files = directory("files")

  /** What the program printed of each job. */
  private def run(
      dist: Dist,
      name: String,
      master: String,
      plan: Seq[GeneratedPlan.Application]
  ): Run = {
    val file = Files.write(scratch.resolve(s"$name-plan"), plan.flatMap(_.lines).asJava)
    val args = Seq(file.toString, directory(s"$name-notes").toString)
    val submit = Submit(dist, master, "GeneratedJobs", common, args)
    val run = submit.run(scratch)
    assert(run.exit == 0, run)
    run
  }

  test(s"$jobs generated jobs have stock's results, whatever goes wrong (seed $seed)") {
    val each = math.min(jobs, 100)
    val plan = GeneratedPlan.applications(jobs / each, each, files.toString)
      .pureApply(Gen.Parameters.default, Seed(seed))
    val calm = GeneratedPlan.Application(Nil, plan.flatMap(_.jobs).map(_.withoutFault))
    val stock = run(Dist.stock, "stock", "local[2]", Seq(calm))
    val dist = Dist.patched.placedIn(scratch.resolve("dist"))
    val ours = run(dist, "ours", Executors, plan)
    val wrong = for {
      application <- plan
      job <- application.jobs
      expected = Apps.result(stock, s"job.${job.number}")
      found = Apps.result(ours, s"job.${job.number}")
      if expected != found && !(job.mayBeRefused && found.contains(Refusal))
    } yield s"${application.lines.head}\n${job.line}\n$found, not $expected"
    assert(wrong.isEmpty, wrong.mkString(s"seed $seed\n", "\n\n", ""))

    def said(what: String): Seq[String] = ours.lines.filter(_.startsWith(what))
    for (damage <- GeneratedPlan.Damages)
      assert(said("harmed.").exists(_.contains(s"=$damage ")), damage)
    for (loss <- GeneratedPlan.Losses) {
      val numbers = plan.flatMap(_.jobs).filter(_.fault.endsWith(loss)).map(_.number)
      assert(numbers.exists(number => said(s"victim.$number=").nonEmpty), loss)
    }
    assert(Closing(Files.list(Paths.get(GeneratedPlan.global(files.toString))))(_.count()) == 0)
  }
}

object GeneratedJobsSuite {

  /** Two executors of two cores, in JVMs of their own. */
  private val Executors = "local-cluster[2,2,1024]"

  /** Of Spark, for what it couldn't compute a part of again: which rows are where isn't determined. */
  private val Refusal = "indeterminate"

  private val common = Seq(
    "spark.sql.autoBroadcastJoinThreshold" -> "-1",
    "spark.sql.adaptive.advisoryPartitionSizeInBytes" -> "16k",
    "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes" -> "16k",
    "spark.sql.adaptive.skewJoin.skewedPartitionFactor" -> "2",
    // Compiling each job's code would take most of the time.
    "spark.sql.codegen.wholeStage" -> "false",
    "spark.sql.codegen.factoryMode" -> "NO_CODEGEN",
    // Otherwise each spill that SQL merges takes 3 MiB of heap, of which Spark keeps no account.
    "spark.unsafe.sorter.spill.read.ahead.enabled" -> "false",
    "spark.log.level" -> "WARN",
    "spark.shuffle.io.retryWait" -> "100ms",
    "spark.speculation.interval" -> "10ms",
    "spark.speculation.multiplier" -> "1.01",
    "spark.speculation.quantile" -> "0.1",
    "spark.speculation.minTaskRuntime" -> "1ms"
  )
}
