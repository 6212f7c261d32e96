package org.apache.spark.hpc.scale

import org.apache.spark.rpc.{RpcCallContext, RpcEnv, ThreadSafeRpcEndpoint}
import org.apache.spark.scheduler.TaskDescription
import org.apache.spark.scheduler.cluster.CoarseGrainedClusterMessages.LaunchTask
import org.apache.spark.storage.BlockManagerId
import org.apache.spark.storage.BlockManagerMessages._

/** Receives the driver's messages to an executor and to its block manager. */
private[scale] final class ThinExecutor(
    override val rpcEnv: RpcEnv,
    val id: String,
    val blockManager: BlockManagerId,
    answers: Answers
) extends ThreadSafeRpcEndpoint {

  /** The shuffles whose map statuses this executor has, and the tracker's epoch when it asked for them. */
  private[scale] val known = scala.collection.mutable.Map.empty[Int, Long]

  override def receive: PartialFunction[Any, Unit] = {
    case LaunchTask(data) => answers.run(this, TaskDescription.decode(data.value))
    case _ => // an end, or a task's; there is nothing to end
  }

  override def receiveAndReply(context: RpcCallContext): PartialFunction[Any, Unit] = {
    case _: RemoveRdd | _: RemoveBroadcast => context.reply(0)
    case _: RemoveShuffle | _: RemoveBlock => context.reply(true)
  }
}
