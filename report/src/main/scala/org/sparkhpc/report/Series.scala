package org.sparkhpc.report

import scala.collection.mutable

import com.fasterxml.jackson.databind.ObjectMapper

/** Executors' figures over time, as a chart's data. */
private[report] object Series {
  private val mapper = new ObjectMapper

  /** JSON: `{"time": [seconds since the start...], "names": [...], "values": [[GB...], ...]}`. At each time, what an executor
    * said last counts, until it was removed.
    */
  def memory(run: Run): String = {
    val said = for ((executor, points) <- run.history.series.toSeq; point <- points)
      yield (point.time, executor, Some(point.values))
    val removals = for (its <- run.executors; removal <- its.removed)
      yield (removal.time, its.id, None)
    val events = (said ++ removals).sortBy(_._1)
    // As many points as a screen has columns are enough.
    val step = math.max(1, events.size / MostPoints)
    val started = run.started.getOrElse(0L)
    val ofNode = ofEachNode(run)
    val present = mutable.Map.empty[String, Array[Float]]
    val shown = mutable.ArrayBuffer.empty[(Double, Array[Double])]
    for (((time, executor, values), i) <- events.zipWithIndex) {
      present.remove(executor)
      values.foreach(present(executor) = _)
      if (i % step == 0 || i == events.size - 1)
        shown += (time - started) / 1000.0 -> sums(present, ofNode)
    }
    val made = new java.util.LinkedHashMap[String, Any]
    made.put("time", shown.map(_._1).toArray)
    made.put("names", Charts.map(_._1).toArray)
    made.put("values", Charts.indices.map(chart => shown.map(_._2(chart)).toArray).toArray)
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
