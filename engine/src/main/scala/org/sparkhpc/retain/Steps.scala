package org.sparkhpc.retain

import scala.collection.mutable

/** Predicts what happens to a block after so many requests, from what happened to blocks of its RDD and of its kind
  * after as many: when they were requested again, or how soon they were unpersisted.
  *
  * Blocks are of one kind if their lineages look alike ([[Known.shapes]]), like the generations of a loop. Time is
  * the number of requests of all blocks. Not thread-safe.
  */
private[retain] final class Steps {
  import Steps._

  private val byKind = mutable.LinkedHashMap.empty[(Int, Int), Step]
  private val ofRdd = mutable.LongMap.empty[OfRdd]

  // How many RDDs were unpersisted as predicted, and how many were read against the prediction.
  private var right, wrong = 0

  /** Records that a block is requested, `gap` requests after its last request. To be called before it is counted. */
  def requestedAgain(known: Known[_], rdd: Int, gap: Long): Unit = {
    val its = ofRdd.getOrElseUpdate(rdd.toLong, new OfRdd)
    its.gaps.getOrElseUpdate(known.requests, new Mean).add(gap.toDouble)
    if (known.order > 0) {
      val step = of(known)
      step.gap.add(gap.toDouble)
      if (step.ended > 0) {
        step.mistakes += 1
        step.ended = 0
      }
    }
    if (known.isDead && !its.wasWrong) {
      its.wasWrong = true
      wrong += 1
    }
  }

  /** Records that a block is unpersisted, `gap` requests after its last request. */
  def ended(known: Known[_], rdd: Int, gap: Long): Unit = if (known.order > 0) {
    val step = of(known)
    step.toEnd.add(gap.toDouble)
    if (rdd != step.latest) step.ended += 1
    step.latest = rdd
  }

  /** All blocks of the RDD have ended. */
  def forget(rdd: Int, wasDead: Boolean): Unit = {
    if (wasDead && !ofRdd.get(rdd.toLong).exists(_.wasWrong)) right += 1
    ofRdd.remove(rdd.toLong)
  }

  /** What will happen to the block; None if nothing like it was seen. What blocks did after one request less is the
    * guess if none was requested so often.
    */
  def next(known: Known[_], rdd: Int): Option[Next] = {
    val requests = known.requests
    againInRdd(rdd, requests)
      .orElse(ofKind(known, requests).flatMap(_.next(prior)))
      .orElse(againInRdd(rdd, requests - 1))
      .orElse(ofKind(known, requests - 1).flatMap(_.again))
  }

  private def againInRdd(rdd: Int, requests: Int): Option[Again] =
    ofRdd.get(rdd.toLong).flatMap(_.gaps.get(requests)).map(gap => Again(gap.value))

  private def ofKind(known: Known[_], requests: Int): Option[Step] =
    if (known.order > 0) byKind.get(key(known, requests)) else None

  def clear(): Unit = {
    byKind.clear()
    ofRdd.clear()
  }

  /** The share of RDDs that are read against a prediction, by the rule of succession. */
  private def prior: Double = (wrong + 1.0) / (right + wrong + 2.0)

  private def of(known: Known[_]): Step = {
    val its = key(known, known.requests)
    val step = byKind.remove(its).getOrElse(new Step)
    byKind.put(its, step)
    if (byKind.size > MostSteps) byKind -= byKind.head._1
    step
  }

  private def key(known: Known[_], requests: Int): (Int, Int) = (known.shapes.last, requests)
}

private[retain] object Steps {
  private val MostSteps = 1000

  sealed trait Next

  /** The block is requested again after so many requests. */
  final case class Again(gap: Double) extends Next

  /** The block is unpersisted after so many requests.
    *
    * @param chance the probability that it is requested before that
    */
  final case class Ends(gap: Double, chance: Double) extends Next

  private final class OfRdd {
    val gaps = mutable.LongMap.empty[Mean]
    var wasWrong = false
  }

  private final class Step {
    val gap, toEnd = new Mean

    /** How many RDDs in a row ended here. */
    var ended = 0

    /** How often that was interrupted by a request. */
    var mistakes = 0
    var latest = -1

    def next(prior: Double): Option[Next] = {
      val chance = (mistakes + prior) / (mistakes + ended + 1)
      if (ended > 0 && (chance < 0.5 || !gap.isKnown)) Some(Ends(toEnd.value, chance)) else again
    }

    def again: Option[Again] = if (gap.isKnown) Some(Again(gap.value)) else None
  }

  /** A mean of which a quarter is the latest value. */
  private final class Mean {
    private var mean = -1.0

    def isKnown: Boolean = mean >= 0
    def value: Double = mean
    def add(value: Double): Unit = mean = if (mean < 0) value else mean + (value - mean) / 4
  }
}
