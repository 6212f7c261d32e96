package org.apache.spark.examples.hpc

import java.util.Locale

import org.apache.spark.SparkContext
import org.apache.spark.graphx.VertexRDD

/** Ranks, and what computing them cost; the CPU time is that of tasks. */
final case class EngineCost private (ranks: VertexRDD[Double], seconds: Double, cpu: Double) {

  override def toString: String =
    "seconds=%.3f cpuSeconds=%.3f".formatLocal(Locale.ROOT, seconds, cpu)
}

object EngineCost {
  private val Key = "spark.hpc.graphx.engine"

  /** Computes ranks with a value of the setting of GraphX's engine. */
  def apply(sc: SparkContext, listener: IterationListener, engine: String)(
      ranks: => VertexRDD[Double]
  ): EngineCost = {
    def cpu: Long = {
      sc.listenerBus.waitUntilEmpty()
      listener.totals.cpuNanos
    }
    val given = sc.conf.getOption(Key)
    val (cpuBefore, started) = (cpu, System.nanoTime())
    sc.conf.set(Key, engine)
    try {
      val ranked = ranks.cache()
      ranked.count()
      EngineCost(ranked, (System.nanoTime() - started) / 1e9, (cpu - cpuBefore) / 1e9)
    } finally {
      sc.conf.remove(Key)
      given.foreach(sc.conf.set(Key, _))
    }
  }
}
