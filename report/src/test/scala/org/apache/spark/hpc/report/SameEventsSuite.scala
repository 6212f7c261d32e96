package org.apache.spark.hpc.report

import java.util.Properties

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import org.apache.spark._
import org.apache.spark.executor.{ExecutorMetrics, TaskMetrics}
import org.apache.spark.hpc.profile.{DriverRequests, ExecutorFigures, LiveFigures, TaskProfile}
import org.apache.spark.scheduler._
import org.apache.spark.scheduler.cluster.ExecutorInfo
import org.apache.spark.storage.BlockManagerId
import org.apache.spark.util.JsonProtocol
import org.sparkhpc.report.{EventReader, JsonReport, Run}

/** A listener and a reader of the event log make the same report of the same events. */
class SameEventsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val number = Gen.chooseNum(1L, 1000000000L)

  private val reason: Gen[TaskEndReason] = Gen.oneOf(
    Success,
    FetchFailed(BlockManagerId("1", "node", 7337), 0, 1L, 2, 3, "gone"),
    ExecutorLostFailure("1", exitCausedByApp = false, Some("lost")),
    TaskKilled("another attempt"),
    TaskCommitDenied(1, 2, 3),
    UnknownReason
  )

  private val metrics: Gen[TaskMetrics] =
    for (
      Seq(run, cpu, gc, deserialize, serialize, fetch, remote, local, written, spilled, input) <-
        Gen.listOfN(11, number)
    )
      yield {
        val made = new TaskMetrics
        made.setExecutorRunTime(run)
        made.setExecutorCpuTime(cpu)
        made.setJvmGCTime(gc)
        made.setExecutorDeserializeTime(deserialize)
        made.setResultSerializationTime(serialize)
        made.incDiskBytesSpilled(spilled)
        made.inputMetrics.incBytesRead(input)
        made.outputMetrics.setBytesWritten(input / 2)
        made.shuffleWriteMetrics.incBytesWritten(written)
        made.shuffleWriteMetrics.incWriteTime(written)
        val read = made.createTempShuffleReadMetrics()
        read.incFetchWaitTime(fetch)
        read.incRemoteBytesRead(remote)
        read.incLocalBytesRead(local)
        made.mergeShuffleReadMetrics()
        made
      }

  private def info(
      id: Long,
      launched: Long,
      took: Long,
      result: Long,
      profile: Option[String]
  ): TaskInfo = {
    val made =
      new TaskInfo(id, 0, 0, 0, launched, "1", "node", TaskLocality.ANY, speculative = false)
    made.markFinished(TaskState.FINISHED, launched + took)
    if (result > 0) made.markGettingResult(launched + took / 2)
    val samples = profile.map(update =>
      AccumulableInfo(
        -42L,
        Some(TaskProfile.Name),
        Some(update),
        None,
        internal = true,
        countFailedValues = true
      )
    )
    made.setAccumulables(
      samples.toSeq :+ AccumulableInfo(
        1L,
        Some("user's"),
        Some(3L),
        Some(4L),
        internal = false,
        countFailedValues = false
      )
    )
    made
  }

  private val taskEnd: Gen[SparkListenerEvent] =
    for {
      stage <- Gen.chooseNum(0, 3)
      attempt <- Gen.chooseNum(0, 1)
      why <- reason
      its <- Gen.option(metrics)
      Seq(launched, took, result) <- Gen.listOfN(3, number)
      profile <-
        Gen.option(Gen.oneOf("task/compute=3", "task/compute=3,cache/read=4,open@7=2,read@0=1"))
    } yield SparkListenerTaskEnd(
      stage,
      attempt,
      "ResultTask",
      why,
      info(1, launched, took, result % 2, profile),
      new ExecutorMetrics,
      its.orNull
    )

  private val stageEvent: Gen[SparkListenerEvent] = for {
    stage <- Gen.chooseNum(0, 3)
    attempt <- Gen.chooseNum(0, 1)
    Seq(from, took) <- Gen.listOfN(2, number)
    hasFailed <- Gen.oneOf(true, false)
    isCompleted <- Gen.oneOf(true, false)
  } yield {
    val its = new StageInfo(
      stage,
      attempt,
      s"count at $stage",
      3,
      Seq.empty,
      Seq.empty,
      "details",
      resourceProfileId = 0
    )
    its.submissionTime = Some(from)
    if (isCompleted) its.completionTime = Some(from + took)
    if (isCompleted && hasFailed) its.stageFailed("because")
    if (isCompleted) SparkListenerStageCompleted(its)
    else SparkListenerStageSubmitted(its, new Properties)
  }

  private val otherEvent: Gen[SparkListenerEvent] = for {
    time <- number
    id <- Gen.chooseNum(1, 3)
    event <- Gen.oneOf[SparkListenerEvent](
      SparkListenerJobStart(id, time, Seq.empty, new Properties),
      SparkListenerJobEnd(id, time, JobSucceeded),
      SparkListenerExecutorAdded(
        time,
        s"$id",
        new ExecutorInfo("node", 4, Map.empty[String, String])
      ),
      SparkListenerExecutorRemoved(time, s"$id", "killed"),
      SparkListenerApplicationEnd(time),
      ExecutorFigures(time, s"$id", "node", Map("pool.hits" -> 3.0, "process.heap" -> 1e9)),
      DriverRequests(time, s"open@$id=3,metadata@0=1"),
      SparkListenerUnpersistRDD(id)
    )
  } yield event

  private val start = SparkListenerApplicationStart("name", Some("app-1"), 5L, "user", None)

  test("a listener and a reader of the event log make the same report") {
    forAll(Gen.listOf(Gen.oneOf(taskEnd, stageEvent, otherEvent))) { events =>
      val (heard, logged) = (new Run, new Run)
      val listener = new RunListener(heard)
      val reader = new EventReader(logged)
      val bus = new Replayed(listener)
      for (event <- SparkListenerLogStart(SPARK_VERSION) +: start +: events) {
        bus.post(event)
        reader.add(JsonProtocol.sparkEventToJsonString(event))
      }
      assert(reader.broken == 0)
      assert(JsonReport.of(heard) == JsonReport.of(logged))
    }
  }

  test(
    "figures that the event log doesn't keep replace the last ones, and are no point of a chart"
  ) {
    val run = new Run
    val listener = new RunListener(run)
    def figures(hits: Double): ExecutorFigures =
      ExecutorFigures(hits.toLong, "1", "node", Map("pool.hits" -> hits))
    val live = LiveFigures(figures(2))
    listener.onOtherEvent(figures(1))
    listener.onOtherEvent(live)
    assert(run.history.sum("pool.hits") == 2 && run.history.series("1").size == 1)
    assert(!live.logEvent && figures(1).logEvent)
  }

  test("a line that is cut off is no event") {
    val line = JsonProtocol.sparkEventToJsonString(taskEnd.sample.get)
    val run = new Run
    val reader = new EventReader(run)
    for (length <- 0 until line.length) reader.add(line.take(length))
    assert(run.stages.isEmpty)
    reader.add(line)
    assert(run.stages.map(_.tasks) == Seq(1))
  }

  private final class Replayed(listener: SparkListener) extends SparkListenerBus {
    addListener(listener)
    def post(event: SparkListenerEvent): Unit = postToAll(event)
  }
}
