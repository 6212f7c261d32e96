package org.apache.spark.internal.io

import scala.annotation.nowarn
import scala.util.Try

import org.apache.spark.SparkEnv
import org.apache.spark.internal.config.Hpc
import org.apache.spark.util.Utils

/** Runs before Spark makes the protocol that commits a write. */
private[spark] object CommitProtocols {

  /** SQL's default, and what it is replaced by. Both are in modules that depend on this one. */
  private val Sparks =
    "org.apache.spark.sql.execution.datasources.SQLHadoopMapReduceCommitProtocol"
  private val Ours = "org.apache.spark.sql.hpc.write.StagedCommitProtocol"

  // Missing where a patched copy has only core and the shuffle manager.
  private lazy val isThere = Try(Utils.classForName[FileCommitProtocol](Ours)).isSuccess

  /** Makes ours instead of SQL's default. Null for any other protocol: Spark's own method runs next. */
  @nowarn("cat=unused-params") // Spark's method has them
  def instantiate(
      spark: FileCommitProtocol.type,
      className: String,
      jobId: String,
      outputPath: String,
      dynamicPartitionOverwrite: Boolean
  ): FileCommitProtocol = {
    val conf = Option(SparkEnv.get).map(_.conf)
    val isWanted = className == Sparks && conf.exists { conf =>
      conf.get(Hpc.FILES_ENABLED) && conf.get(Hpc.FILES_COMMITTER) == "auto"
    }
    if (isWanted && isThere)
      FileCommitProtocol.instantiate(Ours, jobId, outputPath, dynamicPartitionOverwrite)
    else
      null
  }
}
