package org.sparkhpc.retain

import scala.collection.mutable

/** Counts how often stages computed RDDs that nobody persisted, and how many bytes they read for that.
  *
  * All methods are thread-safe.
  *
  * @param passes how often all of an RDD must have been computed before it is worth persisting
  */
final class Rereads(passes: Int) {
  import Rereads._

  private val all = mutable.LinkedHashMap.empty[Int, Seen]

  /** Records that a stage computed a part of an RDD.
    *
    * @param share the computed share of the RDD's partitions
    * @param bytes the bytes of input and shuffles that the stage read
    */
  def computed(rdd: Int, share: Double, bytes: Long): Unit = synchronized {
    val seen = all.remove(rdd).getOrElse(new Seen)
    seen.passes += share
    seen.bytes += bytes
    all.put(rdd, seen)
    if (all.size > MaxRdds) all -= all.head._1
  }

  /** The candidate that saves most if it is persisted: the one for which a pass read the most bytes. Of RDDs that
    * were computed together, it is the last one.
    */
  def best(candidates: Iterable[Int]): Option[Int] = synchronized {
    val worthIt = for {
      rdd <- candidates.toSeq
      seen <- all.get(rdd) if seen.passes >= passes && seen.bytes > 0
    } yield (seen.bytes / seen.passes, rdd)
    if (worthIt.isEmpty) None else Some(worthIt.max._2)
  }

  def forget(rdd: Int): Unit = synchronized(all.remove(rdd): Unit)
}

private object Rereads {

  /** With more RDDs, those that were computed longest ago are forgotten. */
  private val MaxRdds = 10000

  private final class Seen {
    var passes = 0.0
    var bytes = 0L
  }
}
