package org.apache.spark.examples.hpc

import org.scalacheck.{Arbitrary, Gen}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import org.apache.spark.rdd.RDD

class GroupsSuite
    extends AnyFunSuite
    with WrongAnswers
    with LocalSession
    with ScalaCheckPropertyChecks {

  private val options = GroupByOptions(maps = 2, reduces = 3, pairsPerMap = 20, keys = Some(7))

  private lazy val pairs = GroupByTest.generate(spark, options)

  private def check(grouped: RDD[(String, Iterable[Array[Byte]])]): Unit =
    GroupByTest.check(pairs, options, Groups.of(grouped))

  /** What the shuffle gave, with the first group of all changed by `spoil`. */
  private def spoiled(api: String)(
      spoil: (String, Iterable[Array[Byte]]) => Seq[(String, Iterable[Array[Byte]])]
  ): RDD[(String, Iterable[Array[Byte]])] = {
    val groups = GroupByTest.grouped(spark, pairs, options.copy(api = api)).collect().toSeq
    spark.sparkContext.parallelize(spoil.tupled(groups.head) ++ groups.tail, 2)
  }

  for (api <- Seq("rdd", "sql")) {
    test(s"a right answer passes, as $api") {
      check(spoiled(api)((key, values) => Seq(key -> values)))
    }

    test(s"a missing, a doubled and a damaged value are found, as $api") {
      assertWrong("39 records", "40 records")(check(spoiled(api) { (key, values) =>
        Seq(key -> values.tail)
      }))
      assertWrong("41 records")(check(spoiled(api) { (key, values) =>
        Seq(key -> (values ++ values.take(1)))
      }))
      assertWrong("checksum")(check(spoiled(api) { (key, values) =>
        Seq(key -> (values.tail ++ values.take(1).map(_.map(byte => (byte ^ 1).toByte))))
      }))
    }

    test(s"a key in two groups and a value under another key are found, as $api") {
      assertWrong("7 groups", "8 groups")(check(spoiled(api) { (key, values) =>
        Seq(key -> values.take(1), key -> values.drop(1))
      }))
      assertWrong("checksum")(check(spoiled(api)((key, values) => Seq(s"x$key" -> values))))
    }
  }

  test("pairs depend on their number and the seed only, and keys are as many as asked for") {
    forAll(
      Gen.chooseNum(1, 30),
      Gen.chooseNum(0, 40),
      Arbitrary.arbitrary[Long],
      Gen.chooseNum(1L, 32L)
    ) { (keyBytes: Int, valueBytes: Int, seed: Long, keys: Long) =>
      def made: PairGenerator = new PairGenerator(keys, keyBytes, valueBytes, seed)
      val forwards = (0L until 2 * keys).map(made.pair)
      val generator = made
      val backwards = (0L until 2 * keys).reverse.map(generator.pair).reverse
      def plain(pairs: Seq[(String, Array[Byte])]): Seq[(String, Seq[Byte])] =
        pairs.map { case (k, v) => (k, v.toSeq) }
      assert(plain(forwards) == plain(backwards))
      assert(forwards.map(_._1).distinct.size == keys)
      assert(forwards.forall(p => p._1.length == keyBytes && p._2.length == valueBytes))
    }
  }
}
