package org.apache.spark.storage

import org.apache.spark.SparkConf

/** Decides where scratch files live; so far where Spark does. */
private[spark] class HpcDiskBlockManager(
    conf: SparkConf,
    deleteFilesOnStop: Boolean,
    isDriver: Boolean
) extends DiskBlockManager(conf, deleteFilesOnStop, isDriver)
