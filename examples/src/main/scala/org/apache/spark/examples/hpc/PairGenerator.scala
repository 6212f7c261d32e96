package org.apache.spark.examples.hpc

/** Keys and values of given sizes, each pair computed from the seed and its number alone.
  *
  * Pair i has key number i modulo `keys`, so that all keys occur if there are pairs enough, and
  * equally often. A key is text in the digits of base 32; its number went through a bijection, so
  * that different keys are different texts and the keys of one map are of all reducers. Values are
  * random bytes, which no compression makes smaller.
  */
final class PairGenerator(keys: Long, keyBytes: Int, valueBytes: Int, seed: Long)
    extends Serializable {
  import PairGenerator._

  require(keys >= 1 && keys <= most(keyBytes), s"$keys keys don't fit into $keyBytes bytes")

  private val scramble = new VertexScramble(bits(keyBytes), RmatGenerator.mix(seed))
  private val draws = new Draws(seed)

  def pair(index: Long): (String, Array[Byte]) =
    (key(index % keys), Draws.bytes(draws.of(index), valueBytes))

  /** A key longer than its number repeats the digits. */
  private def key(number: Long): String = {
    val scrambled = scramble(number)
    val digits = Array.tabulate(keyBytes) { at =>
      Digits.charAt((scrambled >>> (5 * (at % DigitsOfNumber)) & 31).toInt)
    }
    new String(digits)
  }
}

object PairGenerator {
  private val Digits = "0123456789abcdefghijklmnopqrstuv"
  private val DigitsOfNumber = 12

  /** How many different keys there are of this size. */
  def most(keyBytes: Int): Long = 1L << bits(keyBytes)

  private def bits(keyBytes: Int): Int = 5 * math.min(keyBytes, DigitsOfNumber)

  def hash(key: String, value: Array[Byte]): Long =
    Checksum.hash(Checksum.hash(key), Checksum.hash(value))
}
