package org.apache.spark.storage.hpc.scratch

import java.io.File

import org.apache.spark.storage.DiskBlockManager

/** Chooses the directories that Python workers spill to, in place of Spark's local directories.
  *
  * With tiers, it is the directory of the first tier that is quick and has room, otherwise the home tier. A worker gets
  * it at its start. Its writes are not counted; the tier measures the files in the directory from time to time.
  */
private[spark] object PythonScratch {

  /** If the result differs from an earlier one, Spark starts separate Python processes for it. */
  def directories(manager: DiskBlockManager): Array[File] =
    HpcDiskBlockManager.of(manager).flatMap(_.tiers)
      .flatMap(tiers => tiers.quick.filter(_ != tiers.home))
      .fold(manager.localDirs)(tier => Array(tier.directory))
}
