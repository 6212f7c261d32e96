package org.sparkhpc.retain

import scala.collection.mutable

/** Predicts how often a block is requested before it is unpersisted, from blocks of its kind that were
  * unpersisted.
  *
  * Blocks are of one kind if their lineages look alike ([[Known.shapes]]), like the generations of a loop. Not
  * thread-safe.
  */
private[retain] final class Kinds {
  import Kinds._

  private val lives = mutable.LinkedHashMap.empty[Int, Life]

  /** Records that the block was unpersisted. */
  def ended(known: Known[_], rdd: Int): Unit = if (known.order > 0) {
    val life = lives.remove(known.shapes.last).getOrElse(new Life)
    life.end(known.requests, rdd)
    lives.put(known.shapes.last, life)
    if (lives.size > MaxKinds) lives -= lives.head._1
  }

  /** How often the block will still be requested; None if no block of its kind was unpersisted yet. */
  def expected(known: Known[_]): Option[Double] =
    lives.get(known.shapes.last).map(life => math.max(0.0, life.requests - known.requests))

  /** The probability that the block is requested again, by the rule of succession: from the number of RDDs in a
    * row whose blocks weren't requested more often. None if more requests are expected anyway.
    */
  def chanceOfMore(known: Known[_]): Option[Double] =
    lives.get(known.shapes.last).filter(_.requests <= known.requests).map { life =>
      1.0 / (life.alike + 2)
    }
}

private object Kinds {
  private val MaxKinds = 1000

  /** The requests of blocks of one kind. */
  private final class Life {

    /** The largest number of requests of a block; old ones count less. */
    var requests = 0.0

    /** How many RDDs of this kind ended since the last one with a block that was requested more often. */
    var alike = 0

    private var latest = -1

    def end(requests: Int, rdd: Int): Unit = {
      if (requests > this.requests) {
        this.requests = requests
        alike = 0
      } else {
        // Rises at once and falls slowly, since too few expected requests cost more than too many.
        this.requests -= (this.requests - requests) / 8
        if (rdd != latest) alike += 1
      }
      latest = rdd
    }
  }
}
