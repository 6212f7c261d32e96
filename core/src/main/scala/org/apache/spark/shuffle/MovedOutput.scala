package org.apache.spark.shuffle

import org.apache.spark.{MapOutputTrackerMaster, SparkEnv}
import org.apache.spark.api.plugin.PluginContext
import org.apache.spark.storage.BlockManagerId
import org.apache.spark.storage.hpc.channel.DriverChannel

/** A map output that was moved from its executor to a place that outlives the executor. */
private[spark] final case class MovedOutput(shuffle: Int, mapTaskId: Long, place: BlockManagerId)

/** An executor's report of moved map outputs. The driver answers with those of them that it does not know. */
private[spark] final case class MovedOutputs(outputs: Seq[MovedOutput])

private[spark] object MovedOutputs {

  /** The driver's part: answers these reports. */
  def register(channel: DriverChannel, env: SparkEnv): Unit = channel.onAsk[MovedOutputs] { moved =>
    val tracker = env.mapOutputTracker.asInstanceOf[MapOutputTrackerMaster]
    PlacedOutputs.of(env.shuffleManager).fold(moved.outputs)(_.moved(moved, tracker))
  }

  /** The executor's part: sends these reports. */
  def tellDriver(context: PluginContext, env: SparkEnv): Unit =
    for (placed <- PlacedOutputs.of(env.shuffleManager))
      placed.tellDriver = context.ask(_).asInstanceOf[Seq[MovedOutput]]
}
