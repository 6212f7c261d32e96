package org.apache.spark.storage.memory.hpc

import org.apache.spark.SparkConf
import org.apache.spark.internal.config.Hpc
import org.apache.spark.storage.BlockId
import org.sparkhpc.retain.{BlockNames, DiskSpeed, LeastReferenceCount}
import org.sparkhpc.retain.{LoopAware, Lru, Observed, RetentionPolicy}
import org.sparkhpc.retain.trace.{TraceRecorder, Traced}

/** Creates the policy that `spark.hpc.retention.policy` names. */
private[memory] object Policies {

  private object Names extends BlockNames[BlockId] {
    override def rdd(block: BlockId): Int = block.asRDDId.fold(-1)(_.rddId)

    override def partition(block: BlockId): Int = block.asRDDId.fold(-1)(_.splitIndex)
  }

  def of(
      conf: SparkConf,
      speed: DiskSpeed,
      maySpill: BlockId => Boolean,
      trace: Option[TraceRecorder]
  ): RetentionPolicy[BlockId] = {
    val policy: RetentionPolicy[BlockId] = conf.get(Hpc.RETENTION_POLICY) match {
      case "lru" => new Observed(new Lru, Names, speed)
      case "lrc" => new Observed(new LeastReferenceCount(Names), Names, speed)
      case "loop" => new LoopAware(Names, speed, maySpill)
    }
    trace.fold(policy)(new Traced(policy, Names, _))
  }
}
