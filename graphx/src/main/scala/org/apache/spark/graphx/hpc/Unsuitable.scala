package org.apache.spark.graphx.hpc

import org.apache.spark.graphx.VertexId

/** The engine can't compute a graph, for the reason in the message. */
private[hpc] final class Unsuitable private (reason: String)
    extends RuntimeException(Unsuitable.Start + reason)

private[hpc] object Unsuitable {
  private val Start = "unsuitable graph: "

  def edge(vertex: VertexId): Unsuitable =
    new Unsuitable(s"it has an edge, but no vertex, for the id $vertex")

  def weights(vertex: VertexId): Unsuitable =
    new Unsuitable(s"the edges out of vertex $vertex have different weights")

  def id(vertex: VertexId): Unsuitable =
    new Unsuitable(s"the vertex id $vertex needs more than 53 bits")

  /** The reason, if a task failed for one. */
  def reason(failure: Throwable): Option[String] =
    Option(failure.getMessage).flatMap(_.linesIterator.collectFirst {
      case line if line.contains(Start) => line.substring(line.indexOf(Start) + Start.length)
      case line if line.contains("ArithmeticException: integer overflow") =>
        "a block of it has more than 2,147,483,647 edges"
    })
}
