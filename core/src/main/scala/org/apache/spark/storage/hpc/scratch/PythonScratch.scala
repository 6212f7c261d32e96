package org.apache.spark.storage.hpc.scratch

import java.io.File

import org.apache.spark.storage.DiskBlockManager

/** Where Python workers spill, which Spark would do in its local directories.
  *
  * With tiers it is the directory of the first one that is quick and has room, otherwise the home. A
  * worker is told when it starts, and writes uncounted; what it has there is looked up.
  */
private[spark] object PythonScratch {

  /** Another answer than before starts a set of Python processes of its own. */
  def directories(manager: DiskBlockManager): Array[File] =
    HpcDiskBlockManager.of(manager).flatMap(_.tiers)
      .flatMap(tiers => tiers.quick.filter(_ != tiers.home))
      .fold(manager.localDirs)(tier => Array(tier.directory))
}
