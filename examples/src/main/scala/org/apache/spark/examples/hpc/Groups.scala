package org.apache.spark.examples.hpc

import org.apache.spark.rdd.RDD

/** Values grouped by key, in figures: a key that is in two groups shows in their number. */
final case class Groups(groups: Long, pairs: Checksum) {

  override def toString: String = s"$groups groups of $pairs"
}

object Groups {

  /** Takes each group in hand once; `hash` is of one pair of key and value. */
  def of[K, V](grouped: RDD[(K, Iterable[V])])(hash: (K, V) => Long): Groups =
    grouped.aggregate(Groups(0, Checksum.Empty))(
      { case (Groups(groups, pairs), (key, values)) =>
        Groups(groups + 1, values.foldLeft(pairs)(_ + hash(key, _)))
      },
      (one, other) => Groups(one.groups + other.groups, one.pairs ++ other.pairs)
    )
}
