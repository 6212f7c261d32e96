package org.sparkhpc.retain

import scala.collection.mutable

/** How often blocks are asked for before they are unpersisted, learned from those that were.
  *
  * Blocks are of a kind when their lineages look alike ([[Known.shapes]]): the generations of a loop.
  * Not thread-safe.
  */
private[retain] final class Kinds {
  import Kinds._

  private val lives = mutable.LinkedHashMap.empty[Int, Life]

  /** The block was unpersisted. */
  def ended(known: Known[_], rdd: Int): Unit = if (known.order > 0) {
    val life = lives.remove(known.shapes.last).getOrElse(new Life)
    life.end(known.requests, rdd)
    lives.put(known.shapes.last, life)
    if (lives.size > MaxKinds) lives -= lives.head._1
  }

  /** How often the block will still be asked for; None if nothing like it has ended. */
  def expected(known: Known[_]): Option[Double] =
    lives.get(known.shapes.last).map(life => math.max(0.0, life.requests - known.requests))

  /** How likely it is that the block will be asked for again: by the rule of succession, if so many
    * RDDs before all weren't. None if it is to be expected.
    */
  def chanceOfMore(known: Known[_]): Option[Double] =
    lives.get(known.shapes.last).filter(_.requests <= known.requests).map { life =>
      1.0 / (life.alike + 2)
    }
}

private object Kinds {
  private val MaxKinds = 1000

  /** Of blocks of one kind. */
  private final class Life {

    /** How often they were asked for, at most; what was long ago counts less. */
    var requests = 0.0

    /** How many RDDs of them ended since a block was asked for more often. */
    var alike = 0

    private var latest = -1

    def end(requests: Int, rdd: Int): Unit = {
      if (requests > this.requests) {
        this.requests = requests
        alike = 0
      } else {
        // More at once, less in time: being wrong costs more one way.
        this.requests -= (this.requests - requests) / 8
        if (rdd != latest) alike += 1
      }
      latest = rdd
    }
  }
}
