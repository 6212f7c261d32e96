package org.apache.spark.examples.hpc

/** The edges of a Kronecker graph, each computed from the seed and its own number alone.
  *
  * R-MAT (Chakrabarti, Zhan and Faloutsos, "R-MAT: A Recursive Model for Graph Mining", SDM 2004):
  * the adjacency matrix is halved in both directions `scale` times, and each time a random draw
  * says which quarter the edge is in. The probabilities, 2^scale vertices and the final renaming
  * of vertices are those of the Graph500 specification, section "Generating the edge list"; like
  * there, self-loops and repeated edges stay.
  *
  * All draws are one sequence of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), of which edge i
  * uses the numbers from i * scale: no edge depends on another, so any partitioning of the edges
  * gives the same graph, and no two edges share a draw.
  */
final class RmatGenerator(scale: Int, seed: Long) extends Serializable {
  import RmatGenerator._

  require(scale >= 1 && scale <= MaxScale, s"scale $scale is not in 1..$MaxScale")

  private val origin = mix(seed + Gamma)
  private val scramble = new VertexScramble(scale, mix(origin))

  /** Calls `use` with source and target of edge number `index`. */
  def edge[A](index: Long)(use: (Long, Long) => A): A =
    plainEdge(index)((source, target) => use(scramble(source), scramble(target)))

  /** The edge before vertices are renamed: there, low ids are the busy ones. */
  private[hpc] def plainEdge[A](index: Long)(use: (Long, Long) => A): A = {
    var source = 0L
    var target = 0L
    var draw = index * scale
    var level = 0
    while (level < scale) {
      draw += 1
      val u = (mix(origin + draw * Gamma) >>> 11) * Ulp
      source <<= 1
      target <<= 1
      if (u >= A + B + C) {
        source |= 1
        target |= 1
      } else if (u >= A + B) {
        source |= 1
      } else if (u >= A) {
        target |= 1
      }
      level += 1
    }
    use(source, target)
  }
}

object RmatGenerator {

  /** Graph500's largest problem class, "huge". */
  val MaxScale = 42

  /** The quarters: upper left, upper right, lower left; the lower right one has the rest, 0.05. */
  private[hpc] val A = 0.57
  private[hpc] val B = 0.19
  private[hpc] val C = 0.19

  private val Gamma = 0x9e3779b97f4a7c15L
  private val Ulp = 1.0 / (1L << 53)

  /** SplitMix64's output function: a bijection on 64 bits that spreads each bit over all. */
  private[hpc] def mix(state: Long): Long = {
    val a = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L
    val b = (a ^ (a >>> 27)) * 0x94d049bb133111ebL
    b ^ (b >>> 31)
  }
}
