package org.sparkhpc.report

import scala.collection.mutable

import com.fasterxml.jackson.databind.ObjectMapper

/** Executors' figures over time, as a chart's data. */
private[report] object Series {
  private val mapper = new ObjectMapper

  /** JSON: `{"time": [seconds since the start...], "names": [...], "values": [[GB...], ...]}`. At each time, what an executor
    * said last counts.
    */
  def memory(run: Run): String = {
    val started = run.started.getOrElse(0L)
    val events = run.history.series.toSeq.flatMap { case (executor, points) =>
      points.map(executor -> _)
    }.sortBy(_._2.time)
    val ofNode = ofEachNode(run)
    val present = mutable.Map.empty[String, Array[Float]]
    val rows = for (((executor, point), i) <- events.zipWithIndex) yield {
      present(executor) = point.values
      // As many points as a screen has columns are enough.
      val isShown = i % math.max(1, events.size / MostPoints) == 0 || i == events.size - 1
      if (isShown) Some((point.time - started) / 1000.0 -> sums(present, ofNode)) else None
    }
    val shown = rows.flatten
    val values = Charts.indices.map(chart => shown.map(_._2(chart)).toArray).toArray
    val made = new java.util.LinkedHashMap[String, Any]
    made.put("time", shown.map(_._1).toArray)
    made.put("names", Charts.map(_._1).toArray)
    made.put("values", values)
    mapper.writeValueAsString(made)
  }

  // Figures of a node are the same for all of its executors.
  private val Charts: Seq[(String, String, Boolean)] = Seq(
    ("heap", "process.heap", false),
    ("all of the process", "process.rss", false),
    ("tmpfs and shared memory of nodes", "node.shared", true),
    ("page cache of nodes", "node.cached", true)
  )

  private def sums(
      present: collection.Map[String, Array[Float]],
      ofNode: Set[String]
  ): Array[Double] =
    Charts.map { case (_, figure, isOfNode) =>
      val at = ExecutorHistory.Charted.indexOf(figure)
      present.iterator.collect {
        case (executor, values) if !isOfNode || ofNode(executor) => values(at) / 1e9
      }.sum
    }.toArray

  private def ofEachNode(run: Run): Set[String] =
    run.executors.groupBy(_.host).values.map(_.minBy(its => (its.id.length, its.id)).id).toSet

  private val MostPoints = 1000
}
