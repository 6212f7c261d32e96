package org.apache.spark.storage

import java.io.File

import org.apache.spark.SparkConf

/** Decides where scratch files live, as Spark does; before a shuffle or a sort writes one, spilled
  * cache blocks give room if need be.
  */
private[spark] class HpcDiskBlockManager(
    conf: SparkConf,
    deleteFilesOnStop: Boolean,
    isDriver: Boolean
) extends DiskBlockManager(conf, deleteFilesOnStop, isDriver) {

  /** Called before each temporary file is made. */
  @volatile var giveRoom: () => Unit = () => ()

  override def createTempLocalBlock(): (TempLocalBlockId, File) = {
    giveRoom()
    super.createTempLocalBlock()
  }

  override def createTempShuffleBlock(): (TempShuffleBlockId, File) = {
    giveRoom()
    super.createTempShuffleBlock()
  }
}
