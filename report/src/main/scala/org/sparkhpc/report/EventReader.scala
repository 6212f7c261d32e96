package org.sparkhpc.report

import scala.collection.JavaConverters._

import com.fasterxml.jackson.core.JsonProcessingException
import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}

/** Adds the events of a log to a [[Run]]: one JSON object a line, as Spark's `EventLoggingListener` writes them. */
final class EventReader(run: Run) {
  import EventReader._

  /** Lines that are no events. A log whose application was killed can end with one. */
  var broken: Long = 0

  def add(line: String): Unit =
    try
      event(line) match {
        case "SparkListenerTaskEnd" => taskEnd(line)
        case name => handlers.get(name).foreach(_(mapper.readTree(line)))
      }
    catch { case _: JsonProcessingException => broken += 1 }

  private def taskEnd(line: String): Unit = {
    val parser = mapper.getFactory.createParser(line)
    try {
      parser.nextToken()
      val end = new TaskEnd(parser)
      run.add(end.row())
      run.saw(end.finishedAt)
    } finally parser.close()
  }

  private val handlers: Map[String, JsonNode => Unit] = Map(
    "SparkListenerLogStart" -> (event => run.sparkVersion = event.path("Spark Version").asText),
    "SparkListenerApplicationStart" -> { event =>
      run.name = event.path("App Name").asText
      run.id = event.path("App ID").asText
      run.started = Some(at(event, "Timestamp"))
    },
    "SparkListenerApplicationEnd" -> (event => run.ended = Some(at(event, "Timestamp"))),
    "SparkListenerJobStart" -> (event =>
      run.jobStarted(event.path("Job ID").asInt, at(event, "Submission Time"))
    ),
    "SparkListenerJobEnd" -> (event =>
      run.jobEnded(event.path("Job ID").asInt, at(event, "Completion Time"))
    ),
    "SparkListenerStageSubmitted" -> (event => stage(event.path("Stage Info"))),
    "SparkListenerStageCompleted" -> (event => stage(event.path("Stage Info"))),
    "SparkListenerExecutorAdded" -> { event =>
      val info = event.path("Executor Info")
      val (host, cores) = (info.path("Host").asText, info.path("Total Cores").asInt)
      run.executorAdded(event.path("Executor ID").asText, host, cores, at(event, "Timestamp"))
    },
    "org.apache.spark.hpc.profile.ExecutorFigures" -> { event =>
      val figures = event.path("figures").fields.asScala.map(field =>
        field.getKey -> field.getValue.asDouble
      ).toMap
      run.figures(event.path("executorId").asText, event.path("time").asLong, figures)
    },
    "org.apache.spark.hpc.profile.DriverRequests" -> { event =>
      val requests = RequestFigures.parse(event.path("requests").asText)
      run.driverMade(event.path("time").asLong, requests)
    },
    "SparkListenerExecutorRemoved" -> { event =>
      val why = event.path("Removed Reason").asText
      run.executorRemoved(event.path("Executor ID").asText, why, at(event, "Timestamp"))
    }
  )

  private def stage(info: JsonNode): Unit = {
    def time(field: String): Option[Long] = Option(info.get(field)).map(_.asLong)
    run.stageSeen(
      StageKey(info.path("Stage ID").asInt, info.path("Stage Attempt ID").asInt),
      info.path("Stage Name").asText,
      time("Submission Time"),
      time("Completion Time"),
      Option(info.get("Failure Reason")).map(_.asText)
    )
    for (rdd <- info.path("RDD Info").asScala if isCached(rdd.path("Storage Level")))
      run.rdds.seen(
        rdd.path("RDD ID").asInt,
        CachedRdds.name(rdd.path("Name").asText, rdd.path("Callsite").asText)
      )
  }

  private def isCached(level: JsonNode): Boolean =
    level.path("Use Memory").asBoolean || level.path("Use Disk").asBoolean

  private def at(event: JsonNode, field: String): Long = {
    val time = event.path(field).asLong
    run.saw(time)
    time
  }
}

object EventReader {
  private val mapper = new ObjectMapper()

  private val Start = "{\"Event\":\""

  /** The name of the event, which Spark writes first; "" if the line does not begin with it. */
  private def event(line: String): String = {
    val end = line.indexOf('"', Start.length)
    if (line.startsWith(Start) && end > 0) line.substring(Start.length, end) else ""
  }
}
