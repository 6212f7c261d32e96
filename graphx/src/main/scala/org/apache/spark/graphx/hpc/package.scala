package org.apache.spark.graphx

/** Algorithms of GraphX as iterated sparse products. A hook before a method of GraphX's hands the graph to the
  * [[hpc.Engine engine]], which divides it into [[hpc.SparseBlock blocks]] and runs a [[hpc.PowerIteration]].
  */
package object hpc
