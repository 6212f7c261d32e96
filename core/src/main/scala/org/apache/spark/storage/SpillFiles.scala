package org.apache.spark.storage

import java.io.{File, FileInputStream}

import org.apache.spark.SparkEnv
import org.apache.spark.hpc.file.PooledInputStream

/** The files that ExternalSorter and ExternalAppendOnlyMap spill to, read through the file pool of
  * this process if it has one.
  */
private[spark] object SpillFiles {

  /** In place of `file.delete()`: while the pool had the file open, its space would stay taken. */
  def delete(file: File): Boolean = {
    val path = file.getPath
    val isGone = file.delete()
    store.flatMap(_.pool).foreach(_.forget(path))
    isGone
  }

  private[storage] def open(file: File): FileInputStream = {
    val pooled = for {
      store <- store
      pool <- store.pool
    } yield new PooledInputStream(pool, file.getPath, store.readAhead)
    pooled.getOrElse(new FileInputStream(file))
  }

  /** None where tests have an environment of their own making. */
  private def store: Option[HpcDiskStore] =
    for {
      env <- Option(SparkEnv.get)
      manager <- Option(env.blockManager)
      store <- Option(manager.diskStore).collect { case store: HpcDiskStore => store }
    } yield store
}
