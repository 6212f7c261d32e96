package org.apache.spark.examples.hpc

/** A bijection on the numbers of `bits` bits, picked by a key.
  *
  * R-MAT gives the lowest ids the most edges; Graph500 asks that ids tell nothing of the degree.
  * Each step can be undone within `bits` bits, so their chain is one to one: adding a key, the
  * product with an odd number, and the exclusive or with one's own upper half.
  */
final class VertexScramble(bits: Int, key: Long) extends Serializable {
  import VertexScramble.Rounds

  require(bits >= 1 && bits <= 62, s"$bits bits are not in 1..62")

  private val mask = (1L << bits) - 1
  private val half = (bits + 1) / 2
  private val added = Array.tabulate(Rounds)(round => RmatGenerator.mix(key + 2 * round))
  private val factor = Array.tabulate(Rounds)(round => RmatGenerator.mix(key + 2 * round + 1) | 1)

  def apply(vertex: Long): Long = {
    var v = vertex
    var round = 0
    while (round < Rounds) {
      v = ((v + added(round)) * factor(round)) & mask
      v ^= v >>> half
      round += 1
    }
    v
  }
}

object VertexScramble {

  /** After three, neighbouring numbers are far apart for every width that we use. */
  private val Rounds = 3
}
