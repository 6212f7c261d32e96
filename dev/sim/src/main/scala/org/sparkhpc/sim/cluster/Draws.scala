package org.sparkhpc.sim.cluster

/** Random numbers: with the same seed the same ones as those of the emulator of Lustre (dev/testbed/pfs/random.h). */
final class Draws(seed: Long) {
  private var state = seed

  /** SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014). */
  private def next(): Long = {
    state += 0x9e3779b97f4a7c15L
    val first = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L
    val second = (first ^ (first >>> 27)) * 0x94d049bb133111ebL
    second ^ (second >>> 31)
  }

  /** A number between 0 and 1, never one of them. */
  def uniform(): Double = ((next() >>> 11) + 0.5) / (1L << 53)

  def lognormal(median: Double, sigma: Double): Double = {
    val radius = math.sqrt(-2 * math.log(uniform()))
    median * math.exp(sigma * radius * math.cos(2 * math.Pi * uniform()))
  }

  /** A number between two bounds, whose logarithm is uniform. */
  def loguniform(from: Double, to: Double): Double =
    from * math.exp(uniform() * math.log(to / from))
}
