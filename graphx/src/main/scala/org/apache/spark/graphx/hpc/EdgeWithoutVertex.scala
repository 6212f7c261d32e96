package org.apache.spark.graphx.hpc

import org.apache.spark.graphx.VertexId

/** An edge leads to a vertex, or comes from one, that the graph doesn't have. */
private[hpc] final class EdgeWithoutVertex(vertex: VertexId)
    extends RuntimeException(s"${EdgeWithoutVertex.Start}$vertex")

private[hpc] object EdgeWithoutVertex {
  val Start = "The graph has an edge, but no vertex, for the id "
}
