package org.apache.spark.scheduler

import scala.collection.mutable

import org.apache.spark.{NarrowDependency, SparkContext}
import org.apache.spark.internal.Logging
import org.apache.spark.rdd.{DeterministicLevel, RDD}
import org.apache.spark.storage.{RDDInfo, StorageLevel}
import org.sparkhpc.retain.Rereads

/** Persists RDDs that jobs compute repeatedly although the program does not persist them, and unpersists them when
  * jobs no longer use them.
  *
  * Of the RDDs that a job would compute for the third time, the one for which most input and shuffle bytes are read is
  * persisted before the job starts. This is the first proposal of N. Chaimov et al. (HPDC 2016). The user's own
  * `persist` and `unpersist` take precedence.
  *
  * An RDD is not persisted if that could change results: if its data may differ each time it is computed
  * ([[DeterministicLevel]]), or if its source may return the same object again with other content, as Hadoop's
  * readers and SQL's rows do.
  */
private[scheduler] final class AutoPersist(sc: SparkContext) extends SparkListener with Logging {
  import AutoPersist._

  private val rereads = new Rereads(Passes)
  private val ours = mutable.HashMap.empty[Int, Ours]
  private var jobs = 0L

  sc.addSparkListener(this)

  /** Called before a job on this RDD is submitted. */
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

  /** Called when the user persists the RDD: from then on, this class does not release it. */
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
    logInfo(s"Persisting $rdd, computed $Passes times, until $IdleJobs jobs do not use it")
    rdd.persist(StorageLevel.MEMORY_ONLY)
    ours.put(rdd.id, new Ours(rdd, jobs)): Unit
  }

  private def release(mine: Ours): Unit = {
    ours.remove(mine.rdd.id)
    // The cached blocks of a locally checkpointed RDD are its only data.
    if (mine.rdd.checkpointData.isEmpty) {
      logInfo(s"Unpersisting ${mine.rdd}: the last $IdleJobs jobs did not use it")
      mine.rdd.unpersist(): Unit
    }
  }
}

private object AutoPersist {

  /** How often an RDD is computed before it is persisted; the next computation is cached. */
  private val Passes = 2

  private val IdleJobs = 10L

  /** An RDD persisted by this class. While jobs use it, the program refers to it too; afterwards it is released. */
  private final class Ours(val rdd: RDD[_], var lastJob: Long)

  /** The RDDs that a job may compute or read from the cache: its lineage, cut off behind persisted RDDs. */
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

  /** The RDDs that the stage computed: those that were not persisted when the stage was created. */
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

  /** Whether each element is a separate object, as far as the classes of the RDD and its parents show. */
  private def givesNewObjects(rdd: RDD[_]): Boolean = {
    val element = rdd.elementClassTag.runtimeClass
    element.isPrimitive || isImmutable(element) || (!reusesObjects(rdd) && rdd.dependencies.forall {
      case narrow: NarrowDependency[_] => givesNewObjects(narrow.rdd)
      case _ => true // a shuffle deserializes new objects
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
