package org.sparkhpc.retain

import scala.collection.mutable

/** Counts how often running jobs will still read each persisted RDD, from what the driver knows of their stages.
  *
  * A reference is one computation, of an RDD that isn't computed yet, that reads a persisted RDD: the reference
  * count of Yu et al. (INFOCOM 2017), per RDD. All methods are thread-safe.
  */
final class PendingReads {
  import PendingReads._

  private val stagesOfJobs = mutable.HashMap.empty[Int, Seq[Stage]]
  private val doneStages = mutable.HashSet.empty[Int]
  private val computed = mutable.HashSet.empty[Int]

  // A later job has the same shuffle in a stage with another id, and skips that stage.
  private val doneShuffles = new BoundedSet[Int](MaxShuffles)

  def jobStarted(job: Int, stages: Seq[Stage]): Unit =
    synchronized(stagesOfJobs.put(job, stages): Unit)

  def stageCompleted(stage: Stage): Unit = synchronized {
    doneStages += stage.id
    stage.shuffle.foreach(doneShuffles.add)
    computed ++= stage.rdds.iterator.filter(_.isPersisted).map(_.id)
  }

  def jobEnded(job: Int): Unit = synchronized {
    stagesOfJobs.remove(job).toSeq.flatten.foreach(stage => doneStages -= stage.id)
  }

  def unpersisted(rdd: Int): Unit = synchronized(computed -= rdd: Unit)

  /** For each persisted RDD, how many computations of other RDDs will still read it. */
  def counts: Map[Int, Int] = synchronized {
    val stages = for {
      stage <- stagesOfJobs.valuesIterator.flatten
      if !doneStages(stage.id) && !stage.shuffle.exists(doneShuffles.contains)
    } yield stage.id -> stage
    val total = mutable.HashMap.empty[Int, Int]
    for (stage <- stages.toMap.values; read <- readsOf(stage))
      total.update(read, total.getOrElse(read, 0) + 1)
    total.toMap
  }

  /** The persisted RDDs that a stage reads, each as often as a computation reads it. */
  private def readsOf(stage: Stage): Seq[Int] = {
    val inStage = stage.rdds.map(rdd => rdd.id -> rdd).toMap
    val seen = mutable.HashSet.empty[Int]
    val reads = mutable.ArrayBuffer.empty[Int]
    var toDo = stage.rdds.headOption.map(_.id).toList
    // If the stage's last RDD is computed already, the stage reads only that.
    for (last <- toDo if computed(last)) {
      reads += last
      toDo = Nil
    }
    while (toDo.nonEmpty) {
      val reader = toDo.head
      toDo = toDo.tail
      if (seen.add(reader)) {
        for (parent <- inStage(reader).parents.flatMap(inStage.get)) {
          if (parent.isPersisted) reads += parent.id
          if (!(parent.isPersisted && computed(parent.id))) toDo ::= parent.id
        }
      }
    }
    reads
  }
}

object PendingReads {

  /** @param parents the RDDs that it is computed from */
  final case class Rdd(id: Int, parents: Seq[Int], isPersisted: Boolean)

  /** @param rdds the RDDs that it computes, the last one first
    * @param shuffle the shuffle that it writes, if any
    */
  final case class Stage(id: Int, rdds: Seq[Rdd], shuffle: Option[Int])

  private val MaxShuffles = 10000

  /** A set that keeps only the latest elements. */
  private final class BoundedSet[A](limit: Int) {
    private val all = mutable.LinkedHashSet.empty[A]

    def add(a: A): Unit = if (all.add(a) && all.size > limit) all -= all.head

    def contains(a: A): Boolean = all.contains(a)
  }
}
