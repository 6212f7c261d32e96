package org.apache.spark.scheduler

import org.apache.spark.rdd.RDD
import org.apache.spark.storage.StorageLevel

/** Runs before `RDD.persist(level)`. */
object PersistHook {

  /** Hands an RDD that [[AutoPersist]] persisted over to the user, who may want another level. Returns null, so that
    * Spark's own method runs next.
    */
  def before(rdd: RDD[_], level: StorageLevel): RDD[_] = {
    rdd.sparkContext.dagScheduler match {
      case scheduler: HpcDAGScheduler => scheduler.userPersists(rdd, level)
      case _ => // the context has stopped
    }
    null
  }
}
