package org.apache.spark.graphx.hpc

import scala.annotation.nowarn

import org.apache.spark.SparkConf
import org.apache.spark.graphx.GraphXUtils

/** Runs before the method of `GraphXUtils`. */
object GraphXUtilsHook {

  /** Registers the engine's classes beside GraphX's: with `spark.kryo.registrationRequired`, Kryo refuses others. */
  @nowarn("cat=unused-params") // Spark's method has it
  def registerKryoClasses(utils: GraphXUtils.type, conf: SparkConf): Boolean = {
    conf.registerKryoClasses(Array(
      classOf[BlockRows],
      classOf[EdgeRuns],
      classOf[SparseBlock],
      classOf[Slice],
      classOf[Kept],
      classOf[Totals],
      classOf[Array[Totals]],
      classOf[Array[Array[Int]]]
    ))
    false
  }
}
