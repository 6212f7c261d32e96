package org.apache.spark.shuffle

import java.io.File

import org.apache.spark.storage.{BlockId, DiskBlockObjectWriter}

/** The metrics of one map output, which identify the output wherever Spark passes them on. Spark's sorter of serialized
  * records writes its last run with them, which is the whole output if there was no spill.
  */
private[spark] trait PlacedOutput extends ShuffleWriteMetricsReporter {

  /** A writer of that run to the output's place; None if it is one of several runs, which goes to `file`. */
  def writer(blockId: BlockId, file: File, bufferSize: Int): Option[DiskBlockObjectWriter]
}
