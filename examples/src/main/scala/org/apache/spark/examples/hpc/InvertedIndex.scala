package org.apache.spark.examples.hpc

import java.util.BitSet

import scopt.OParser

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession

/** For each word of generated text the lines that it is in, in order: every word is shuffled. */
object InvertedIndex extends WithoutFiles[TextOptions] with TextSyntax {
  import builder._

  override protected def label: String = "invertedindex"

  override private[hpc] def work(spark: SparkSession, o: TextOptions, phases: Phases): Outcome = {
    val sc = spark.sparkContext
    val found = phases.mapReduce(Groups.of(index(sc, o))(hash))
    check(sc, o, found)
    Outcome.checked(
      "maps" -> o.maps,
      "reduces" -> o.reduces,
      "words" -> o.lines * o.wordsPerLine,
      "distinct" -> found.groups,
      "postings" -> found.pairs.records
    )
  }

  private[hpc] def index(sc: SparkContext, o: TextOptions): RDD[(String, Iterable[Long])] = {
    val text = o.text
    sc.range(0, o.lines, numSlices = o.maps)
      .flatMap(number => text.line(number).split(' ').iterator.map(word => (word, number)))
      .groupByKey(o.reduces)
      .mapValues(lines => lines.toArray.distinct.sorted.toIterable)
  }

  /** Each line by itself says in which words' lists it must be. */
  private[hpc] def check(sc: SparkContext, o: TextOptions, found: Groups): Unit = {
    val text = o.text
    val expected = sc.range(0, o.lines, numSlices = o.maps)
      .mapPartitions { lines =>
        val words = new BitSet(o.vocabulary)
        val postings = lines.foldLeft(Checksum.Empty) { (sum, number) =>
          text.ranks(number).distinct.foldLeft(sum) { (sum, rank) =>
            words.set(rank)
            sum + hash(ZipfText.word(rank), number)
          }
        }
        Iterator.single((words, postings))
      }
      .reduce { case ((words, postings), (moreWords, morePostings)) =>
        words.or(moreWords)
        (words, postings ++ morePostings)
      }
    Answer.equal("index", Groups(expected._1.cardinality.toLong, expected._2), found)
  }

  private[hpc] def hash(word: String, line: Long): Long = Checksum.hash(Checksum.hash(word), line)

  override protected val syntax: OParser[_, TextOptions] =
    OParser.sequence(programName("InvertedIndex"), head("Which lines is a word in?") +: text: _*)
}
