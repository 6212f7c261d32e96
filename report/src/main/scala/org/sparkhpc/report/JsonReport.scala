package org.sparkhpc.report

import scala.collection.JavaConverters._

import com.fasterxml.jackson.databind.{ObjectMapper, SerializationFeature}
import org.sparkhpc.request.RequestKind

/** The report as JSON. Times are in milliseconds, sizes in bytes, instants in milliseconds since the epoch.
  *
  * `split` and `samples` have the keys of [[Part]] and of `PURPOSE/ACTIVITY`; `requests` and `driverRequests`, of [[RequestKind]]. `finding` is the bottleneck, or null if none
  * was found; `findings` has all losses, the largest first.
  */
object JsonReport {
  private val mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT)

  def of(run: Run): String = {
    val totals = run.totals
    val findings = Finding.all(run, totals)
    mapper.writeValueAsString(
      tree(
        "application" -> tree(
          "id" -> run.id,
          "name" -> run.name,
          "sparkVersion" -> run.sparkVersion,
          "started" -> run.started.map(Long.box).orNull,
          "isComplete" -> run.ended.isDefined,
          "wallMillis" -> run.wall,
          "jobMillis" -> totals.busy,
          "cores" -> totals.cores,
          "taskMillis" -> totals.taskTime
        ),
        "split" -> split(totals.split),
        "stages" -> run.stages.filter(_.tasks > 0).map(stage).asJava,
        "cachedRdds" -> run.rdds.short.map(rdd).asJava,
        "driverRequests" -> requests(run.driverRequests),
        "executors" -> run.executors.map(executor(run, _)).asJava,
        "finding" -> Finding.bottleneck(findings, totals).map(finding).orNull,
        "findings" -> findings.map(finding).asJava
      )
    )
  }

  private def stage(stage: StageFigures): AnyRef = {
    val (median, longest) = stage.durations.getOrElse((0, 0))
    tree(
      "id" -> stage.key.id,
      "attempt" -> stage.key.attempt,
      "name" -> stage.name,
      "submitted" -> stage.submitted.map(Long.box).orNull,
      "millis" -> stage.duration.map(Long.box).orNull,
      "failure" -> stage.failure.orNull,
      "tasks" -> stage.tasks,
      "medianMillis" -> median,
      "longestMillis" -> longest,
      "taskMillis" -> stage.times.duration,
      "idleMillis" -> stage.idle,
      "split" -> split(stage.split),
      "samples" -> stage.profile.mapValues(Long.box).toMap.asJava,
      "requests" -> requests(stage.requests),
      "bytes" -> tree(
        "input" -> stage.bytes.input,
        "output" -> stage.bytes.output,
        "shuffleRead" -> stage.bytes.shuffleRead,
        "shuffleWritten" -> stage.bytes.shuffleWritten,
        "spilled" -> stage.bytes.spilled
      )
    )
  }

  private def requests(its: RequestFigures): AnyRef =
    tree(RequestKind.all.filter(its.count(_) > 0).map { kind =>
      kind.name -> tree(
        "count" -> its.count(kind),
        "medianMillis" -> its.latency(kind, 0.5),
        "p99Millis" -> its.latency(kind, 0.99),
        "longestMillis" -> its.latency(kind, 1)
      )
    }: _*)

  private def rdd(its: RddFigures): AnyRef = tree(
    "id" -> its.id,
    "name" -> its.name,
    "writtenBytes" -> its.written,
    "readBackBytes" -> its.readBack,
    "computedAgain" -> its.again
  )

  private def executor(run: Run, its: ExecutorSpan): AnyRef = tree(
    "id" -> its.id,
    "host" -> its.host,
    "cores" -> its.cores,
    "removed" -> its.removed.map(_.why).orNull,
    "figures" -> run.history.last.getOrElse(its.id, Map.empty[String, Double]).mapValues(
      Double.box
    ).toMap.asJava
  )

  private def finding(found: Finding): AnyRef = tree(
    "cause" -> found.cause,
    "what" -> found.what,
    "figure" -> found.figure,
    "remedy" -> found.remedy,
    "gainMillis" -> found.gain
  )

  private def split(parts: Map[Part, Double]): AnyRef =
    tree(Part.all.flatMap(part => parts.get(part).map(part.key -> _)): _*)

  private def tree(fields: (String, Any)*): AnyRef = {
    val made = new java.util.LinkedHashMap[String, Any]
    for ((name, value) <- fields) made.put(name, value)
    made
  }
}
