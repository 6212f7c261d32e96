package org.sparkhpc.apps

import java.util.concurrent.ConcurrentLinkedQueue

import scala.collection.JavaConverters._

import org.apache.spark.scheduler.{
  SparkListener,
  SparkListenerExecutorExcluded,
  SparkListenerExecutorExcludedForStage,
  SparkListenerNodeExcluded,
  SparkListenerNodeExcludedForStage
}

/** Remembers the nodes and executors on which Spark wouldn't run tasks any more. */
private[apps] final class Exclusions extends SparkListener {
  private val excluded = new ConcurrentLinkedQueue[String]

  def names: Seq[String] = excluded.asScala.toSeq

  override def onNodeExcluded(event: SparkListenerNodeExcluded): Unit =
    excluded.add(event.hostId): Unit

  override def onNodeExcludedForStage(event: SparkListenerNodeExcludedForStage): Unit =
    excluded.add(event.hostId): Unit

  override def onExecutorExcluded(event: SparkListenerExecutorExcluded): Unit =
    excluded.add(event.executorId): Unit

  override def onExecutorExcludedForStage(event: SparkListenerExecutorExcludedForStage): Unit =
    excluded.add(event.executorId): Unit
}
