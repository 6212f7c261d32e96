package org.apache.spark.shuffle

import org.apache.spark.storage.BlockManagerId

/** A map output that was moved from its executor to a place that outlives the executor. */
private[spark] final case class MovedOutput(shuffle: Int, mapTaskId: Long, place: BlockManagerId)

/** An executor's report of moved map outputs. The driver answers with those of them that it does not know. */
private[spark] final case class MovedOutputs(outputs: Seq[MovedOutput])
