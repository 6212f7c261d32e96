package org.apache.spark.examples.hpc

import org.scalacheck.{Arbitrary, Gen}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class TextChecksSuite
    extends AnyFunSuite
    with WrongAnswers
    with LocalSession
    with ScalaCheckPropertyChecks {

  private val options =
    TextOptions(maps = 2, reduces = 3, linesPerMap = 10, wordsPerLine = 8, vocabulary = 30)

  private lazy val lines = (0L until options.lines).map(options.text.line)
  private lazy val counts = WordCount.counts(spark.sparkContext, options).collect().toSeq
  private lazy val index = InvertedIndex.index(spark.sparkContext, options).collect().toSeq

  private def checkCounts(counts: Seq[(String, Long)]): Unit =
    WordCount.check(
      spark.sparkContext,
      options,
      Checksum.of(counts.iterator.map((WordCount.hash _).tupled))
    )

  private def checkIndex(index: Seq[(String, Iterable[Long])]): Unit =
    InvertedIndex.check(
      spark.sparkContext,
      options,
      Groups.of(spark.sparkContext.parallelize(index, 2))(InvertedIndex.hash)
    )

  test("words are counted as the text has them") {
    val words = lines.flatMap(_.split(' '))
    assert(counts.toMap == words.groupBy(identity).mapValues(_.size.toLong).toMap)
    checkCounts(counts)
  }

  test("another count, a lost and a doubled word are found") {
    val (word, count) = counts.head
    assertWrong("words", "checksum")(checkCounts((word, count + 1) +: counts.tail))
    assertWrong(s"${counts.size - 1} records")(checkCounts(counts.tail))
    assertWrong(s"${counts.size + 1} records")(checkCounts(counts.head +: counts))
  }

  test("the index has each word's lines in order") {
    val expected = lines.zipWithIndex
      .flatMap { case (line, number) => line.split(' ').distinct.map(_ -> number.toLong) }
      .groupBy(_._1).mapValues(_.map(_._2).sorted)
    assert(index.map { case (word, lines) => word -> lines.toSeq }.toMap == expected.toMap)
    checkIndex(index)
  }

  test("a lost and a doubled line, a lost and a divided word are found") {
    val (word, lines) = index.maxBy(_._2.size)
    val others = index.filterNot(_._1 == word)
    assertWrong("index")(checkIndex((word, lines.tail) +: others))
    assertWrong("index")(checkIndex((word, lines ++ lines.take(1)) +: others))
    assertWrong(s"${index.size - 1} groups")(checkIndex(others))
    assertWrong(s"${index.size + 1} groups")(
      checkIndex(Seq((word, lines.take(1)), (word, lines.tail)) ++ others)
    )
  }

  test("a line depends on its number and the seed only, and its words are of the vocabulary") {
    forAll(Gen.chooseNum(1, 200), Gen.chooseNum(1, 20), Arbitrary.arbitrary[Long]) {
      (vocabulary: Int, words: Int, seed: Long) =>
        def text: ZipfText = new ZipfText(vocabulary, words, seed)
        val one = text
        val forwards = (0L until 9L).map(one.ranks(_).toSeq)
        assert((0L until 9L).reverse.map(text.ranks(_).toSeq).reverse == forwards)
        forwards.foreach(_.foreach(rank => assert(rank >= 0 && rank < vocabulary)))
        assert(text.line(3).split(' ').toSeq == forwards(3).map(ZipfText.word))
    }
  }

  test("frequent words are as frequent as Zipf says") {
    val ranks = (0L until 2000L).flatMap(new ZipfText(1000, 10, seed = 1).ranks(_))
    val share = ranks.count(_ == 0) / ranks.size.toDouble
    assert(math.abs(share - math.log(2) / math.log(1001)) < 0.01)
  }
}
