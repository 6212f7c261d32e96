package org.apache.spark.examples.hpc

import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

class PageRankRefusalSuite extends AnyFunSuite with LocalMaster with TemporaryFiles {

  private lazy val graph = file("1 2\n2 1\n")

  private def usage(words: String*)(args: Any*): Unit =
    assertRefuses(PageRank, 2, words: _*)(args: _*)

  private def data(words: String*)(args: Any*): Unit =
    assertRefuses(PageRank, 1, words: _*)(args: _*)

  test("no input, or two") {
    usage("--input", "missing")()
    usage("--input", "2 times")(graph, "--input", graph)
  }

  test("zero or negative iterations, or words") {
    usage("--iterations 0", "1 or more")(graph, "--iterations", 0)
    usage("--iterations -3", "1 or more")(graph, "--iterations", -3)
    usage("iterations", "many")(graph, "--iterations", "many")
  }

  test("a tolerance that is none, or beside a number of iterations") {
    for (tolerance <- Seq("0", "-1", "NaN"))
      usage("--dynamic")(graph, s"--dynamic=$tolerance")
    usage("--iterations", "--dynamic")(graph, "--iterations", 3, "--dynamic", 0.1)
  }

  test("negative partitions or top") {
    usage("--partitions -1")(graph, "--partitions", -1)
    usage("--top -1")(graph, "--top=-1")
  }

  test("unknown storage level, or one that keeps nothing") {
    usage("--storage-level MEMORY", "MEMORY_ONLY")(graph, "--storage-level", "MEMORY")
    usage("--storage-level NONE")(graph, "--storage-level", "NONE")
  }

  test("unknown format") {
    usage("--format csv", "parquet, text")(graph, "--format", "csv")
  }

  test("reset probability that is none") {
    for (p <- Seq("0", "1.5", "-0.1", "NaN"))
      usage("--reset-probability")(graph, "--reset-probability", p)
  }

  test("unknown option") {
    val line =
      "PageRank: Unknown option --iteration: the nearest is --iterations (--help lists the options)"
    for (
      args <- Seq(
        Seq("--iteration", 5),
        Seq(graph, "--iteration", 5),
        Seq("--input", graph, "--iteration", 5)
      )
    )
      assert(run(PageRank, args: _*) == Ran(2, "", line + "\n"))
    usage("Unknown option --iteration=5: the nearest is --iterations (")(graph, "--iteration=5")
  }

  test("empty paths") {
    usage("--input")("--input", " ")
    usage("--output")(graph, "--output", "")
  }

  test("missing file, also by a pattern") {
    data("--input", "nowhere.txt", "no such file")(fresh("nowhere.txt"))
    data("--input", "*.graph", "no such file")(fresh("*.graph"))
  }

  test("path that no file system serves") {
    data("--input", "nfs://host/graph")("nfs://host/graph")
  }

  test("directory without files") {
    data("--input", "without files")(Files.createDirectory(fresh("empty")))
  }

  test("directory with a directory inside") {
    val directory = graph.getParent
    Files.createDirectory(directory.resolve("deeper"))
    data("--input", "deeper", "pattern")(directory)
  }

  test("line that isn't two ids: file, offset and the line") {
    val bad = file("# comment\n1 2\nx y\n3\n4 -1\n")
    data(bad.toString, "byte 14", "'x y'", "2 more")(bad)
  }

  test("long line is cut, control characters are escaped") {
    data("'\\u0001" + "z" * 53, "...'")(file("\u0001" + "z" * 10000 + "\n"))
  }

  test("empty graph") {
    data("no edges")(file(""))
    data("no edges")(file("# only\n\n# comments\n"))
  }

  test("output that exists") {
    data("--output", "exists already")(graph, "--output", graph)
  }

  test("names file that is missing, or a directory") {
    data("--names", "no such file")(graph, "--names", fresh("names.txt"))
    data("--names", "a directory")(graph, "--names", graph.getParent)
  }

  test("bad line in the names file") {
    data("--names", "line 2", "'two'")(graph, "--names", file("1\tone\ntwo\n"))
  }
}
