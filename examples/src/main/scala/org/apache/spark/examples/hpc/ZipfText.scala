package org.apache.spark.examples.hpc

/** Lines of words of which few are frequent and most are rare, each line from the seed and its own
  * number alone.
  *
  * The word of rank r comes about as often as 1/r says, as in a language. Words are known by their
  * ranks, from 0, so that they can be counted without being read.
  */
final class ZipfText(vocabulary: Int, wordsOfLine: Int, seed: Long) extends Serializable {
  private val draws = new Draws(seed)
  private val logOfAll = math.log(vocabulary + 1.0)

  def line(number: Long): String = ranks(number).map(ZipfText.word).mkString(" ")

  def ranks(number: Long): Array[Int] = {
    val random = draws.of(number)
    Array.fill(wordsOfLine) {
      math.min(math.exp(random.nextDouble() * logOfAll).toInt, vocabulary) - 1
    }
  }
}

object ZipfText {

  /** The word of a rank; frequent ones are short. */
  def word(rank: Int): String = "w" + Integer.toString(rank, 36)

  /** An array or bit for each word is held by each task. */
  val MostWords: Int = 1 << 22
}
