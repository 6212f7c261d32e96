package org.apache.spark.storage

import org.apache.spark.{SecurityManager, SparkConf}

/** Writes and reads the blocks that are kept on disk; so far as Spark does. */
private[spark] class HpcDiskStore(
    conf: SparkConf,
    diskManager: DiskBlockManager,
    securityManager: SecurityManager
) extends DiskStore(conf, diskManager, securityManager)
