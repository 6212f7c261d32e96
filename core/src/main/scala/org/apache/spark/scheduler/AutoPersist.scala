package org.apache.spark.scheduler

import scala.collection.mutable

import org.apache.spark.{NarrowDependency, SparkContext}
import org.apache.spark.internal.Logging
import org.apache.spark.rdd.{DeterministicLevel, RDD}
import org.apache.spark.storage.{RDDInfo, StorageLevel}
import org.sparkhpc.retain.Rereads

/** Persists what jobs compute again and again though nobody persisted it, and releases it when jobs
  * don't use it any more.
  *
  * Before a job that would compute an RDD for the third time, of all that it would compute, the RDD
  * is persisted for which most input and shuffle bytes are read. That is what N. Chaimov et al. (HPDC
  * 2016) propose first. The user's own `persist` and `unpersist` go before ours.
  *
  * An RDD isn't persisted if that could change results: if it isn't the same each time
  * ([[DeterministicLevel]]), or if its source may give the same object again with other content, as
  * Hadoop's readers and SQL's rows do.
  */
private[scheduler] final class AutoPersist(sc: SparkContext) extends SparkListener with Logging {
  import AutoPersist._

  private val rereads = new Rereads(Passes)
  private val ours = mutable.HashMap.empty[Int, Ours]
  private var jobs = 0L

  sc.addSparkListener(this)

  /** A job is about to be submitted, for this RDD. */
  def beforeJob(last: RDD[_]): Unit = synchronized {
    jobs += 1
    val needed = neededBy(last)
    ours --= ours.valuesIterator.filter(_.rdd.getStorageLevel == StorageLevel.NONE).map(
      _.rdd.id
    ).toSeq
    for (mine <- ours.valuesIterator if needed.contains(mine.rdd.id)) mine.lastJob = jobs
    ours.valuesIterator.filter(jobs - _.lastJob > IdleJobs).toSeq.foreach(release)
    val candidates = needed.valuesIterator.filter(mayPersist).map(_.id).toSeq
    rereads.best(candidates).map(needed).foreach(persist)
  }

  /** The user persists the RDD: it isn't ours any more. */
  def userPersists(rdd: RDD[_], level: StorageLevel): Unit = synchronized {
    if (ours.remove(rdd.id).nonEmpty && level != rdd.getStorageLevel) rdd.unpersist(): Unit
  }

  override def onStageCompleted(event: SparkListenerStageCompleted): Unit = {
    val stage = event.stageInfo
    if (stage.failureReason.isEmpty) {
      val metrics = stage.taskMetrics
      val bytes = metrics.inputMetrics.bytesRead + metrics.shuffleReadMetrics.totalBytesRead
      for (rdd <- computedBy(stage))
        rereads.computed(rdd.id, stage.numTasks.toDouble / math.max(1, rdd.numPartitions), bytes)
    }
  }

  override def onUnpersistRDD(event: SparkListenerUnpersistRDD): Unit = rereads.forget(event.rddId)

  private def persist(rdd: RDD[_]): Unit = {
    logInfo(s"$rdd was computed $Passes times: it is persisted, until $IdleJobs jobs don't use it")
    rdd.persist(StorageLevel.MEMORY_ONLY)
    ours.put(rdd.id, new Ours(rdd, jobs)): Unit
  }

  private def release(mine: Ours): Unit = {
    ours.remove(mine.rdd.id)
    // A local checkpoint has nothing but the blocks.
    if (mine.rdd.checkpointData.isEmpty) {
      logInfo(s"${mine.rdd} wasn't used by $IdleJobs jobs, and is no longer persisted")
      mine.rdd.unpersist(): Unit
    }
  }
}

private object AutoPersist {

  /** How often an RDD is computed before it is persisted: the next time it is kept. */
  private val Passes = 2

  private val IdleJobs = 10L

  /** As long as it is used, its user holds it as well; afterwards it isn't held for long. */
  private final class Ours(val rdd: RDD[_], var lastJob: Long)

  /** What a job may have to compute or read from a cache: what isn't behind what is persisted. */
  private def neededBy(last: RDD[_]): Map[Int, RDD[_]] = {
    val seen = mutable.HashMap.empty[Int, RDD[_]]
    var toDo = List[RDD[_]](last)
    while (toDo.nonEmpty) {
      val rdd = toDo.head
      toDo = toDo.tail
      if (seen.put(rdd.id, rdd).isEmpty && rdd.getStorageLevel == StorageLevel.NONE)
        toDo = rdd.dependencies.map(_.rdd).toList ::: toDo
    }
    seen.toMap
  }

  /** What nobody had persisted when the stage was made. */
  private def computedBy(stage: StageInfo): Seq[RDDInfo] = {
    val inStage = stage.rddInfos.map(rdd => rdd.id -> rdd).toMap
    val computed = mutable.LinkedHashMap.empty[Int, RDDInfo]
    var toDo = stage.rddInfos.headOption.toList
    while (toDo.nonEmpty) {
      val rdd = toDo.head
      toDo = toDo.tail
      if (rdd.storageLevel == StorageLevel.NONE && computed.put(rdd.id, rdd).isEmpty)
        toDo = rdd.parentIds.flatMap(inStage.get(_)).toList ::: toDo
    }
    computed.values.toSeq
  }

  private def mayPersist(rdd: RDD[_]): Boolean =
    rdd.getStorageLevel == StorageLevel.NONE && rdd.checkpointData.isEmpty && !rdd.isBarrier() &&
      rdd.outputDeterministicLevel != DeterministicLevel.INDETERMINATE && givesNewObjects(rdd)

  /** Whether each element is an object of its own, as far as can be told. */
  private def givesNewObjects(rdd: RDD[_]): Boolean = {
    val element = rdd.elementClassTag.runtimeClass
    element.isPrimitive || isImmutable(element) || (!reusesObjects(rdd) && rdd.dependencies.forall {
      case narrow: NarrowDependency[_] => givesNewObjects(narrow.rdd)
      case _ => true // what a shuffle reads was deserialized
    })
  }

  private def isImmutable(element: Class[_]): Boolean =
    element == classOf[String] || classOf[Number].isAssignableFrom(element) &&
      element.getName.startsWith("java.lang.")

  private def reusesObjects(rdd: RDD[_]): Boolean = {
    val name = rdd.getClass.getName
    name.startsWith("org.apache.spark.sql.") || name.endsWith("HadoopRDD")
  }
}
