package org.apache.spark.examples.hpc

/** Documents of known classes as words' counts, each from the seed and its own number alone.
  *
  * Document i is of class i modulo their number. Each of its words is, with even odds, any word or
  * one of the class's own part of the vocabulary.
  */
final class PlantedTopics(classes: Int, vocabulary: Int, wordsOfDocument: Int, seed: Long)
    extends Serializable {
  private val draws = new Draws(seed)
  private val ownWords = vocabulary / classes

  def classOf(document: Long): Int = (document % classes).toInt

  /** Words and how often each is in the document, in order of the words. */
  def document(number: Long): Seq[(Int, Double)] = {
    val random = draws.of(number)
    Seq.fill(wordsOfDocument) {
      if (random.nextInt(2) == 0) random.nextInt(vocabulary)
      else classOf(number) * ownWords + random.nextInt(ownWords)
    }.groupBy(identity).mapValues(_.size.toDouble).toSeq.sortBy(_._1)
  }
}
