package org.apache.spark.shuffle

import java.io.File

import org.apache.spark.storage.{BlockId, DiskBlockObjectWriter}

/** The metrics of one map output, by which it is known wherever Spark passes them on: Spark's sort of
  * serialized records writes its last run with them, which is the whole output if there was no spill.
  */
private[spark] trait PlacedOutput extends ShuffleWriteMetricsReporter {

  /** Writes that run to the output's place; None if it is a run among others, and goes to `file`. */
  def writer(blockId: BlockId, file: File, bufferSize: Int): Option[DiskBlockObjectWriter]
}
