package org.apache.spark.examples.hpc

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow

/** Each program from its command line to its last line; what their checks find stands elsewhere. */
class WorkloadProgramsSuite extends AnyFunSuite with Workloads {

  test("WordCount") {
    assertRuns(WordCount, "wordcount", "words=240", "reduces=5")(
      "--maps 3 --reduces 5 --lines-per-map 8 --words-per-line 10 --vocabulary 50"
    )
  }

  test("InvertedIndex") {
    assertRuns(InvertedIndex, "invertedindex", "words=240")(
      "--maps 3 --reduces 5 --lines-per-map 8 --words-per-line 10 --vocabulary 50"
    )
  }

  test("AdjacencyList") {
    assertRuns(AdjacencyList, "adjacencylist", "edges=128")(
      "--maps 3 --reduces 5 --scale 5 --edge-factor 4"
    )
  }

  test("SelfJoin") {
    assertRuns(SelfJoin, "selfjoin", "lists=105", "joined=70")(
      "--maps 3 --reduces 5 --prefixes 7 --lasts 5 --copies 3"
    )
  }

  test("Sort") {
    assertRuns(Sort, "sort", "pairs=90", "bytes=1080")(
      "--maps 3 --reduces 5 --pairs-per-map 30 --key-bytes 4 --value-bytes 8"
    )
  }

  test("Sleep") {
    assertRuns(Sleep, "sleep", "tasks=9", "millis=1")("--tasks 9 --millis 1")
    assertRuns(Sleep, "sleep", "tasks=9", "passes=2")(
      "--tasks 9 --millis 1 --uneven true --passes 2 --block-bytes 1000"
    )
  }

  test("SmallTuples") {
    assertRuns(SmallTuples, "smalltuples", "tuples=90", "counts=2")(
      "--tuples 90 --counts 2 --partitions 3"
    )
  }

  test("KMeans") {
    assertRuns(KMeans, "kmeans", "points=300", "clusters=6")(
      "--points 300 --dimensions 3 --clusters 6 --partitions 2"
    )
  }

  test("NaiveBayes") {
    assertRuns(NaiveBayes, "naivebayes", "documents=120", "classes=3")(
      "--documents 120 --classes 3 --vocabulary 120 --partitions 2"
    )
  }

  test("ALS", Slow) {
    assertRuns(ALS, "als", "ratings=4800", "rank=2")(
      "--users 200 --items 100 --ratings-per-user 24 --rank 2 --blocks 2"
    )
  }

  test("RankLoop, with ranks cached or not") {
    for (cached <- Seq(true, false))
      assertRuns(RankLoop, "rankloop", "edges=128", s"cache-ranks=$cached")(
        s"--scale 5 --edge-factor 4 --iterations 3 --partitions 3 --cache-ranks $cached"
      )
  }

  test("CX", Slow) {
    assertRuns(CX, "cx", "rows=400", "rank=3")("--rows 400 --columns 40 --rank 3 --partitions 2")
  }

  test("wrong options are refused") {
    assertRefused(WordCount, 2, "--maps 0")("--maps 0")
    assertRefused(InvertedIndex, 2, "--vocabulary 0", "1 to")("--vocabulary 0")
    assertRefused(AdjacencyList, 2, "--scale 31", "1 to 30")("--scale 31")
    assertRefused(SelfJoin, 2, "--lasts 0")("--lasts 0")
    assertRefused(Sort, 2, "--key-bytes 0")("--key-bytes 0")
    assertRefused(Sleep, 2, "--millis")("--millis soon")
    assertRefused(KMeans, 2, "--points 50", "10 for each cluster")("--points 50")
    assertRefused(NaiveBayes, 2, "--vocabulary 100")("--vocabulary 100 --classes 11")
    assertRefused(ALS, 2, "--ratings-per-user 39")("--ratings-per-user 39")
    assertRefused(RankLoop, 2, "cache-ranks")("--cache-ranks maybe")
    assertRefused(CX, 2, "--columns 30", "4 for each rank")("--columns 30")
  }
}
