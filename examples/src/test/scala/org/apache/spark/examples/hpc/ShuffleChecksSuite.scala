package org.apache.spark.examples.hpc

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.SparkContext

class ShuffleChecksSuite extends AnyFunSuite with WrongAnswers with LocalSession {
  private def sc: SparkContext = spark.sparkContext

  private val graph = AdjacencyOptions(scale = 4, edgeFactor = 3, maps = 2, reduces = 3)
  private lazy val lists = AdjacencyList.lists(sc, graph).collect().toSeq

  private def checkLists(lists: Seq[(Long, Iterable[(Long, Boolean)])]): Unit =
    AdjacencyList.check(sc, graph, Groups.of(sc.parallelize(lists, 2))(AdjacencyList.hash))

  test("AdjacencyList: each vertex has the edges from it and to it") {
    val edges = (0L until graph.edges).map(graph.generator.edge(_)((_, _)))
    for ((vertex, neighbours) <- lists) {
      val (from, to) = neighbours.toSeq.partition(_._2)
      assert(from.map(_._1) == edges.filter(_._1 == vertex).map(_._2).sorted)
      assert(to.map(_._1) == edges.filter(_._2 == vertex).map(_._1).sorted)
    }
    checkLists(lists)
  }

  test("AdjacencyList: lost, doubled, turned and divided neighbours are found") {
    val (vertex, neighbours) = lists.maxBy(_._2.size)
    val others = lists.filterNot(_._1 == vertex)
    val turned = neighbours.head.copy(_2 = !neighbours.head._2)
    for (
      wrong <- Seq(
        Seq(vertex -> neighbours.tail),
        Seq(vertex -> (neighbours ++ neighbours.take(1))),
        Seq(vertex -> (Seq(turned) ++ neighbours.tail)),
        Seq(vertex -> neighbours.take(1), vertex -> neighbours.tail)
      )
    ) assertWrong("lists")(checkLists(wrong ++ others))
  }

  private val join = SelfJoinOptions(maps = 2, reduces = 3, prefixes = 5, lasts = 4, copies = 2)
  private lazy val joined = SelfJoin.joined(sc, join).collect().toSeq

  private def checkJoined(joined: Seq[(String, Int, Int)]): Unit =
    SelfJoin.check(sc, join, Checksum.of(joined.iterator.map((SelfJoin.hash _).tupled)))

  test("SelfJoin: all pairs of each prefix, once") {
    val expected = for (p <- 0L until 5L; a <- 0 until 4; b <- a + 1 until 4)
      yield (join.prefix(p), a, b)
    assert(joined.sorted == expected.sorted)
    checkJoined(joined)
  }

  test("SelfJoin: a lost, a doubled and another pair are found") {
    assertWrong("29 records")(checkJoined(joined.tail))
    assertWrong("31 records")(checkJoined(joined.head +: joined))
    assertWrong("checksum")(checkJoined(joined.head.copy(_2 = 9) +: joined.tail))
  }

  private val sort = SortOptions(maps = 2, reduces = 3, pairsPerMap = 20)

  /** Sorted pairs as they came from `partitions`, which are put together by `spoil`. */
  private def checkSorted(spoil: Seq[Sort.Pair] => Seq[Sort.Pair]): Unit = {
    val partitions = Sort.pairs(sc, sort).sortByKey(ascending = true, 3).glom().collect().toSeq
    val spoiled = spoil(partitions.flatMap(_.toSeq))
    Sort.check(sc, sort, Sort.runs(sc.parallelize(spoiled, 3)))
  }

  test("Sort: the right answer passes; lost, doubled, damaged and misplaced pairs are found") {
    checkSorted(identity)
    assertWrong("39 records")(checkSorted(_.tail))
    assertWrong("41 records")(checkSorted(pairs => pairs.head +: pairs))
    assertWrong("checksum")(
      checkSorted(pairs => pairs.init :+ ((pairs.last._1, Array.fill(90)(0.toByte))))
    )
    assertWrong("before a smaller one", "found 1")(
      checkSorted(pairs => pairs.last +: pairs.init)
    )
    assertWrong("before a smaller one", "found 2")(
      checkSorted(pairs => pairs.grouped(14).toSeq.reverse.flatten)
    )
  }

  test("Sleep: a task that is lost or ran twice is found") {
    val options = SleepOptions(tasks = 7, millis = 0)
    def slept(tasks: Seq[Long]): Unit =
      Sleep.check(options, Sleep.slept(sc.parallelize(tasks, 7), 0))
    slept(0L until 7L)
    assertWrong("6 records")(slept(1L until 7L))
    assertWrong("8 records")(slept(0L +: (0L until 7L)))
  }
}
