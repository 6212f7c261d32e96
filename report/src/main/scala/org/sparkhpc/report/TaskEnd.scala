package org.sparkhpc.report

import com.fasterxml.jackson.core.JsonParser

/** Reads a `SparkListenerTaskEnd` of an event log. There are as many of them as tasks, so they are not parsed with
  * Spark's `JsonProtocol`, which makes all objects that a listener could want.
  */
private[report] final class TaskEnd(parser: JsonParser) {
  import Fields.{each, elements}

  private var stage, attempt = 0
  private var executor = ""
  private var outcome: TaskOutcome = TaskOutcome.Succeeded
  private var launched, finished, gotResult = 0L
  private var times = TaskTimes()
  private var bytes = TaskBytes()
  private var profile, requests = Map.empty[String, Int]

  def row(): TaskRow = {
    each(parser) {
      case "Stage ID" => stage = parser.getIntValue
      case "Stage Attempt ID" => attempt = parser.getIntValue
      case "Task End Reason" => each(parser)(reason)
      case "Task Info" => each(parser)(info)
      case "Task Metrics" => each(parser)(metric)
      case _ =>
    }
    val result = if (gotResult > 0) math.max(0, finished - gotResult) else 0
    val its = times.copy(duration = math.max(0, finished - launched), gettingResult = result)
    TaskRow(StageKey(stage, attempt), executor, outcome, its, bytes, profile, requests)
  }

  def finishedAt: Long = finished

  private def reason(field: String): Unit = field match {
    case "Reason" =>
      outcome = parser.getText match {
        case "Success" => TaskOutcome.Succeeded
        case "FetchFailed" => TaskOutcome.FetchFailed
        case "ExecutorLostFailure" => TaskOutcome.ExecutorLost
        case "TaskKilled" | "TaskCommitDenied" => TaskOutcome.Killed
        case _ => TaskOutcome.Failed
      }
    case _ =>
  }

  private def info(field: String): Unit = field match {
    case "Executor ID" => executor = parser.getText
    case "Launch Time" => launched = parser.getLongValue
    case "Finish Time" => finished = parser.getLongValue
    case "Getting Result Time" => gotResult = parser.getLongValue
    case "Accumulables" => elements(parser)(accumulable())
    case _ =>
  }

  private def accumulable(): Unit = {
    var name, update = ""
    each(parser) {
      case "Name" => name = parser.getText
      case "Update" => update = Option(parser.getValueAsString).getOrElse("")
      case _ =>
    }
    if (name == Samples.Accumulable) {
      profile = Samples.parse(update)
      requests = RequestFigures.parse(update)
    }
  }

  private def metric(field: String): Unit = field match {
    case "Executor Deserialize Time" => times = times.copy(deserialize = parser.getLongValue)
    case "Executor Run Time" => times = times.copy(run = parser.getLongValue)
    case "Executor CPU Time" => times = times.copy(cpu = parser.getLongValue / NanosPerMilli)
    case "JVM GC Time" => times = times.copy(gc = parser.getLongValue)
    case "Result Serialization Time" => times = times.copy(serializeResult = parser.getLongValue)
    case "Disk Bytes Spilled" => bytes = bytes.copy(spilled = parser.getLongValue)
    case "Input Metrics" =>
      bytes = bytes.copy(input = sum("Bytes Read"))
    case "Output Metrics" => bytes = bytes.copy(output = sum("Bytes Written"))
    case "Shuffle Read Metrics" => each(parser)(shuffleRead)
    case "Shuffle Write Metrics" => each(parser)(shuffleWrite)
    case _ =>
  }

  private def shuffleRead(field: String): Unit = field match {
    case "Fetch Wait Time" => times = times.copy(fetchWait = parser.getLongValue)
    case "Remote Bytes Read" | "Local Bytes Read" =>
      bytes = bytes.copy(shuffleRead = bytes.shuffleRead + parser.getLongValue)
    case _ =>
  }

  private def shuffleWrite(field: String): Unit = field match {
    case "Shuffle Write Time" =>
      times = times.copy(shuffleWrite = parser.getLongValue / NanosPerMilli)
    case "Shuffle Bytes Written" => bytes = bytes.copy(shuffleWritten = parser.getLongValue)
    case _ =>
  }

  private def sum(wanted: String): Long = {
    var found = 0L
    each(parser)(field => if (field == wanted) found += parser.getLongValue)
    found
  }

  private val NanosPerMilli = 1000000
}
