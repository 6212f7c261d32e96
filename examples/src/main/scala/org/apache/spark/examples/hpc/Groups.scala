package org.apache.spark.examples.hpc

import org.apache.spark.rdd.RDD

/** Pairs grouped by key, in figures: a key that is in two groups shows in their number. */
final case class Groups(groups: Long, pairs: Checksum) {

  override def toString: String = s"$groups groups of $pairs"
}

object Groups {

  /** Takes each group in hand once; this is the job that shuffles. */
  def of(grouped: RDD[(String, Iterable[Array[Byte]])]): Groups =
    grouped.aggregate(Groups(0, Checksum.Empty))(
      { case (Groups(groups, pairs), (key, values)) =>
        val more = values.foldLeft(pairs)(_ + PairGenerator.hash(key, _))
        Groups(groups + 1, more)
      },
      (one, other) => Groups(one.groups + other.groups, one.pairs ++ other.pairs)
    )
}
