package org.apache.spark.examples.hpc

import java.util.SplittableRandom

/** Random numbers for each record of a data set, from the seed and the record's number alone.
  *
  * So a task that runs again makes the same records, and so does any number of partitions.
  */
final class Draws(seed: Long) extends Serializable {
  private val origin = RmatGenerator.mix(seed ^ 0x6a09e667f3bcc908L)

  def of(record: Long): SplittableRandom = new SplittableRandom(RmatGenerator.mix(origin + record))
}

object Draws {

  /** `length` random bytes. */
  def bytes(random: SplittableRandom, length: Int): Array[Byte] = {
    val bytes = new Array[Byte](length)
    var at = 0
    while (at < length) {
      var left = random.nextLong()
      val end = math.min(at + 8, length)
      while (at < end) {
        bytes(at) = left.toByte
        left >>>= 8
        at += 1
      }
    }
    bytes
  }
}
