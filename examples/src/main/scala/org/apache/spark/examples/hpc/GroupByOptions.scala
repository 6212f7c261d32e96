package org.apache.spark.examples.hpc

/** How many pairs of which sizes are grouped, by how many tasks. */
final case class GroupByOptions(
    api: String = "rdd",
    maps: Int = 16,
    reduces: Int = 16,
    pairsPerMap: Long = 10000,
    keys: Option[Long] = None,
    keyBytes: Int = 10,
    valueBytes: Int = 90,
    seed: Long = 1
) {

  def pairs: Long = maps * pairsPerMap

  /** Keys that occur: pairs take them in turn. */
  def distinct: Long = math.min(pairs, keys.getOrElse(PairGenerator.most(keyBytes)))
}
