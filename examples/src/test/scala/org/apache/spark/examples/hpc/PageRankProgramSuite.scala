package org.apache.spark.examples.hpc

import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.SparkSession

class PageRankProgramSuite extends AnyFunSuite with LocalMaster with TemporaryFiles {

  private val graph = "# a small graph\n1 2\n2 3\n3 1\n4 1\n\n5 1\n"
  private val expected =
    NaivePageRank(Seq((1L, 2L), (2L, 3L), (3L, 1L), (4L, 1L), (5L, 1L)), 4, 0.15)

  test("prints a line for each iteration, the ranking with names, totals; writes ranks as text") {
    val (names, output) = (file("1\tone\n2\ttwo\n"), fresh("ranks"))
    val options = s"--iterations 4 --top 3 --names $names --output $output --format text"
    val ran = run(PageRank, s"${file(graph)} $options".split(' ').toSeq: _*)
    assert(ran.code == 0, ran)
    assert(ran.err.isEmpty)
    assert(ran.outLines.head.startsWith("graph: vertices=5 edges=5 "))
    val iterations = ran.outLines.filter(_.startsWith("iteration="))
    assert(iterations.map(_.takeWhile(_ != ' ')) == (1 to 4).map(n => s"iteration=$n"))
    iterations.foreach(line => assert(!line.contains("shuffleReadBytes=0 "), line))
    val ranking = ran.outLines.dropWhile(!_.contains("place")).slice(1, 4).map(_.trim.split(" +"))
    assert(ranking.map(_(2).toLong) == expected.toSeq.sortBy(-_._2).map(_._1).take(3))
    assert(ranking.head.toSeq == Seq("1", f"${expected(1)}%.4f", "1", "one"))
    assert(ranking(2).length == 3, "a vertex without a name has none printed")
    assert(ran.outLines.last.startsWith("total: iterations=4 "))
    val ranks =
      written(output).linesIterator.map(_.split('\t')).map(f => f(0).toLong -> f(1).toDouble)
    assertRanks(ranks.toMap)
  }

  test("the dynamic algorithm prints as many iterations as it takes") {
    val ran = run(PageRank, file(graph), "--dynamic", 0.02, "--top", 1)
    assert(ran.code == 0, ran)
    val iterations = ran.outLines.filter(_.startsWith("iteration="))
    assert(iterations.size > 10)
    assert(
      iterations.map(_.takeWhile(_ != ' ')) == (1 to iterations.size).map(n => s"iteration=$n")
    )
    assert(ran.outLines.last.startsWith("total: tolerance=0.02 "), ran)
  }

  test("compares with Spark's own GraphX if asked; writes Parquet with telling names") {
    val output = fresh("ranks")
    val ran =
      run(PageRank, "--input", file(graph), "--iterations", 4, "--output", output, "--compare")
    assert(ran.code == 0, ran)
    val cost = "seconds=[0-9.]+ cpuSeconds=[0-9.]+"
    val Compared =
      s"compare: engine $cost; Spark's own GraphX $cost; largest difference of a rank (\\S+) of it".r
    ran.outLines.last match {
      case Compared(difference) => assert(difference.toDouble < 1e-9)
      case other => fail(other)
    }
    val spark = SparkSession.builder.getOrCreate()
    try {
      val rows = spark.read.parquet(output.toString).select("id", "rank").collect()
      assertRanks(rows.map(row => row.getLong(0) -> row.getDouble(1)).toMap)
    } finally spark.stop()
  }

  test("reads all files of a directory but hidden ones") {
    val directory = file(graph, "a.txt").getParent
    Files.write(directory.resolve("b.txt"), "6 1\n".getBytes("UTF-8"))
    Files.write(directory.resolve("_SUCCESS"), Array.empty[Byte])
    Files.write(directory.resolve(".c.txt.crc"), "garbage".getBytes("UTF-8"))
    val ran = run(PageRank, directory, "--iterations", 1)
    assert(ran.out.contains("vertices=6 edges=6 "), ran)
  }

  test("help is no failure and starts no application") {
    val ran = run(PageRank, "--help")
    assert(ran.code == 0)
    assert(ran.err.isEmpty)
    assert(ran.out.contains("--storage-level"))
  }

  private def assertRanks(actual: Map[Long, Double]): Unit = {
    assert(actual.keySet == expected.keySet)
    actual.foreach { case (id, rank) => assert(math.abs(rank - expected(id)) < 1e-9) }
  }
}
