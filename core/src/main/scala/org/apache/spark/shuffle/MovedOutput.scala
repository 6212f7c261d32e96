package org.apache.spark.shuffle

import org.apache.spark.storage.BlockManagerId

/** A map output that is at another place now than its executor, where it outlives that. */
private[spark] final case class MovedOutput(shuffle: Int, mapTaskId: Long, place: BlockManagerId)

/** An executor tells the driver so; the answer is those of them that the driver doesn't know. */
private[spark] final case class MovedOutputs(outputs: Seq[MovedOutput])
