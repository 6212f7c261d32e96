package org.apache.spark.examples.hpc

import scopt.OParser

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession

/** Counts words of generated text; the shuffle is small, because maps add up what they have. */
object WordCount extends WithoutFiles[TextOptions] with TextSyntax {
  import builder._

  override protected def label: String = "wordcount"

  override private[hpc] def work(spark: SparkSession, o: TextOptions, phases: Phases): Outcome = {
    val sc = spark.sparkContext
    val found = phases.mapReduce(Checksum.of(counts(sc, o).map((hash _).tupled)))
    check(sc, o, found)
    Outcome.checked(
      "maps" -> o.maps,
      "reduces" -> o.reduces,
      "words" -> o.lines * o.wordsPerLine,
      "distinct" -> found.records
    )
  }

  private[hpc] def counts(sc: SparkContext, o: TextOptions): RDD[(String, Long)] = {
    val text = o.text
    sc.range(0, o.lines, numSlices = o.maps)
      .map(text.line)
      .flatMap(_.split(' '))
      .map(word => (word, 1L))
      .reduceByKey(_ + _, o.reduces)
  }

  /** The same words counted by rank in an array, which nothing has shuffled. */
  private[hpc] def check(sc: SparkContext, o: TextOptions, found: Checksum): Unit = {
    val text = o.text
    val expected = sc.range(0, o.lines, numSlices = o.maps)
      .mapPartitions { lines =>
        val counts = new Array[Long](o.vocabulary)
        lines.foreach(text.ranks(_).foreach(rank => counts(rank) += 1))
        Iterator.single(counts)
      }
      .reduce((one, other) => one.zip(other).map { case (a, b) => a + b })
    val words = expected.iterator.zipWithIndex.collect {
      case (count, rank) if count > 0 => hash(ZipfText.word(rank), count)
    }
    Answer.equal("words with their counts", Checksum.of(words), found)
  }

  private[hpc] def hash(word: String, count: Long): Long =
    Checksum.hash(Checksum.hash(word), count)

  override protected val syntax: OParser[_, TextOptions] =
    OParser.sequence(programName("WordCount"), head("Counts words of generated text") +: text: _*)
}
