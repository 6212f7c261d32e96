package org.sparkhpc.apps

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths}

import scala.collection.JavaConverters._
import scala.collection.mutable

import org.apache.spark.SparkConf
import org.apache.spark.scheduler.{SparkListener, SparkListenerApplicationEnd}
import org.apache.spark.scheduler.SparkListenerStageSubmitted
import org.apache.spark.storage.{RDDInfo, StorageLevel}

/** A listener that writes, at the end, which persisted RDDs the scheduler computes from which.
  *
  * A line `RDD PARTITIONS PARENT PARTITIONS` for each pair to the file `spark.lineage.truth`, as the
  * levels were when the scheduler made the stage in which the RDD first was.
  */
class LineageTruth(conf: SparkConf) extends SparkListener {
  private val seen = mutable.HashSet.empty[Int]
  private val lines = mutable.ArrayBuffer.empty[String]

  override def onStageSubmitted(event: SparkListenerStageSubmitted): Unit = {
    val inStage = event.stageInfo.rddInfos.map(rdd => rdd.id -> rdd).toMap
    for (rdd <- inStage.values if isPersisted(rdd) && seen.add(rdd.id))
      for (parent <- parents(rdd, inStage))
        lines += s"${rdd.id} ${rdd.numPartitions} ${parent.id} ${parent.numPartitions}"
  }

  override def onApplicationEnd(end: SparkListenerApplicationEnd): Unit =
    Files.write(Paths.get(conf.get("spark.lineage.truth")), lines.asJava, UTF_8): Unit

  private def isPersisted(rdd: RDDInfo): Boolean = rdd.storageLevel != StorageLevel.NONE

  /** The nearest that are persisted, without a shuffle between: these are in the same stage. */
  private def parents(rdd: RDDInfo, inStage: Map[Int, RDDInfo]): Set[RDDInfo] =
    rdd.parentIds.toSet.flatMap(inStage.get(_: Int).toSet).flatMap { parent: RDDInfo =>
      if (isPersisted(parent)) Set(parent) else parents(parent, inStage)
    }
}
