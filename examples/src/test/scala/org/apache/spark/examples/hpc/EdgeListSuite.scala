package org.apache.spark.examples.hpc

import java.io.FileOutputStream
import java.util.zip.GZIPOutputStream

import org.apache.hadoop.fs.Path
import org.scalatest.funsuite.AnyFunSuite

class EdgeListSuite extends AnyFunSuite with LocalSession with TemporaryFiles {

  private val numbers = 0 until 1000
  private val text = numbers.map(n => s"$n\t${n + 1}\n").mkString("# source target\n\n", "", "")

  private def read(path: Any, partitions: Int): (Seq[(Long, Long)], Int, BadLines) = {
    val bad = new BadLines(2)
    spark.sparkContext.register(bad)
    val edges = EdgeList.read(spark.sparkContext, new Path(path.toString), partitions, bad)
    val pairs = edges.map(edge => (edge.srcId, edge.dstId)).collect().toSeq.sorted
    (pairs, edges.getNumPartitions, bad)
  }

  test("has each edge once, in any number of partitions") {
    val path = file(text)
    for (partitions <- Seq(1, 2, 7, 64)) {
      val (edges, number, bad) = read(path, partitions)
      assert(edges == numbers.map(n => (n.toLong, n + 1L)))
      assert(number == partitions)
      assert(bad.isZero)
    }
  }

  test("without a wish has at least the default parallelism") {
    assert(read(file(text), 0)._2 >= spark.sparkContext.defaultParallelism)
  }

  test("a compressed file is spread over the partitions asked for") {
    val path = fresh("graph.txt.gz")
    val gzip = new GZIPOutputStream(new FileOutputStream(path.toFile))
    gzip.write(text.getBytes("UTF-8"))
    gzip.close()
    val (edges, number, _) = read(path, 5)
    assert(edges.size == numbers.size)
    assert(number == 5)
  }

  test("a bad line is told with its file and the offset where it begins") {
    val path = file(text + "1 x\n2 y\n3 z\n")
    val (edges, _, bad) = read(path, 3)
    assert(edges.size == numbers.size)
    assert(bad.count == 3)
    assert(bad.value.map(_.offset) == Seq(text.length, text.length + 4))
    assert(bad.value.head.text == "1 x")
    assert(bad.value.head.file.endsWith(path.toString))
  }

  test("a bad line is shown in part and without control characters") {
    val (_, _, bad) = read(file("\u0000" + "x" * 100000), 1)
    assert(bad.value.head.text.length < 100)
    assert(bad.value.head.text.startsWith("\\u0000xxx"))
  }
}
