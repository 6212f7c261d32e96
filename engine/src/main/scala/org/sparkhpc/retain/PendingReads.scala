package org.sparkhpc.retain

import scala.collection.mutable

/** What running jobs will still read of persisted RDDs, by what the driver knows of their stages.
  *
  * A reference is one computation, of an RDD that isn't there yet, that reads a persisted one: the
  * reference count of Yu et al. (INFOCOM 2017), by RDD. All methods are thread-safe.
  */
final class PendingReads {
  import PendingReads._

  private val stagesOfJobs = mutable.HashMap.empty[Int, Seq[Stage]]
  private val doneStages = mutable.HashSet.empty[Int]
  private val computed = mutable.HashSet.empty[Int]

  // A later job has the same shuffle in a stage of another number, and skips it.
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

  /** By persisted RDD, how many computations of others will still read it. */
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

  /** The persisted RDDs that a stage reads, once for each computation that does. */
  private def readsOf(stage: Stage): Seq[Int] = {
    val inStage = stage.rdds.map(rdd => rdd.id -> rdd).toMap
    val seen = mutable.HashSet.empty[Int]
    val reads = mutable.ArrayBuffer.empty[Int]
    var toDo = stage.rdds.headOption.map(_.id).toList
    // What the stage ends with may be there already: then its result is all that is read.
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

  /** @param parents the RDDs it is computed from */
  final case class Rdd(id: Int, parents: Seq[Int], isPersisted: Boolean)

  /** @param rdds those it computes in one go, its last one first
    * @param shuffle the shuffle it writes, if it does
    */
  final case class Stage(id: Int, rdds: Seq[Rdd], shuffle: Option[Int])

  private val MaxShuffles = 10000

  /** Keeps the latest. */
  private final class BoundedSet[A](limit: Int) {
    private val all = mutable.LinkedHashSet.empty[A]

    def add(a: A): Unit = if (all.add(a) && all.size > limit) all -= all.head

    def contains(a: A): Boolean = all.contains(a)
  }
}
