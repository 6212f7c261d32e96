package org.sparkhpc.retain

import scala.collection.mutable

/** How often stages computed the RDDs that nobody persisted, and what they read for it.
  *
  * All methods are thread-safe.
  *
  * @param passes how often an RDD was computed, all of it, before it is worth persisting
  */
final class Rereads(passes: Int) {
  import Rereads._

  private val all = mutable.LinkedHashMap.empty[Int, Seen]

  /** A stage computed a part of an RDD.
    *
    * @param share how many of its partitions, of all
    * @param bytes what the stage read of input and shuffles
    */
  def computed(rdd: Int, share: Double, bytes: Long): Unit = synchronized {
    val seen = all.remove(rdd).getOrElse(new Seen)
    seen.passes += share
    seen.bytes += bytes
    all.put(rdd, seen)
    if (all.size > MaxRdds) all -= all.head._1
  }

  /** Which of these saves most if it is persisted: the one for which most was read in a pass, and of
    * those that were computed together, the last.
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

  /** Those that were computed longest ago are forgotten. */
  private val MaxRdds = 10000

  private final class Seen {
    var passes = 0.0
    var bytes = 0L
  }
}
