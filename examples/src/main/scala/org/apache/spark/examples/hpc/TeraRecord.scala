package org.apache.spark.examples.hpc

import java.nio.charset.StandardCharsets.US_ASCII

import com.google.common.primitives.UnsignedBytes

/** A record of the Sort Benchmark: 100 bytes, of which the first ten are the key.
  *
  * {{{
  * record = key mark number mark filler
  * key    = 10 bytes, any
  * mark   = 0x00 0x11 | 0x88 0x99 0xAA 0xBB
  * number = 32 hexadecimal digits
  * filler = 52 letters
  * }}}
  */
object TeraRecord {
  val Length = 100
  val KeyLength = 10

  /** By key, its bytes unsigned; records of equal keys stand in any order. */
  object ByKey extends Ordering[Array[Byte]] {
    override def compare(x: Array[Byte], y: Array[Byte]): Int = {
      var at = 0
      while (at < KeyLength - 1 && x(at) == y(at)) at += 1
      UnsignedBytes.compare(x(at), y(at))
    }
  }
}

/** TeraGen's records, each computed from the seed and its number alone. */
final class TeraRecord(seed: Long) extends Serializable {
  import TeraRecord._

  private val draws = new Draws(seed)

  def record(number: Long): Array[Byte] = {
    val random = draws.of(number)
    val bytes = new Array[Byte](Length)
    System.arraycopy(Draws.bytes(random, KeyLength), 0, bytes, 0, KeyLength)
    put(bytes, KeyLength, Array[Byte](0x00, 0x11))
    put(bytes, 12, "%032X".format(number).getBytes(US_ASCII))
    put(bytes, 44, Array(0x88, 0x99, 0xaa, 0xbb).map(_.toByte))
    // Runs of one letter each, as in the benchmark: the filler compresses, the key doesn't.
    for (run <- 0 until 13) {
      val letter = ('A' + random.nextInt(26)).toByte
      java.util.Arrays.fill(bytes, 48 + 4 * run, 52 + 4 * run, letter)
    }
    bytes
  }

  private def put(bytes: Array[Byte], at: Int, part: Array[Byte]): Unit =
    System.arraycopy(part, 0, bytes, at, part.length)
}
