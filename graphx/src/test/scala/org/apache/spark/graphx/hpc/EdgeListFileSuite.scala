package org.apache.spark.graphx.hpc

import java.io.{FileOutputStream, OutputStream}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import java.util.zip.GZIPOutputStream

import org.apache.spark.SparkException
import org.apache.spark.graphx.{Graph, GraphLoader}
import org.apache.spark.graphx.impl.GraphImpl
import org.apache.spark.network.util.JavaUtils
import org.apache.spark.storage.StorageLevel
import org.scalacheck.{Gen, Shrink}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** Edge lists beside GraphX's own loader. */
class EdgeListFileSuite extends AnyFunSuite with LocalContext with ScalaCheckPropertyChecks {
  // A list that fails in its parts would be refused by both loaders.
  implicit private def whole[T]: Shrink[T] = Shrink.shrinkAny

  private lazy val folder = Files.createTempDirectory("edge-list")

  override protected def afterAll(): Unit =
    try JavaUtils.deleteRecursively(folder.toFile)
    finally super.afterAll()

  private def written(text: String, name: String = "edges"): Path =
    Files.write(folder.resolve(name), text.getBytes(UTF_8))

  /** What each partition has, in its order, and each vertex. */
  private def told(graph: Graph[Int, Int]): (Seq[Seq[String]], Map[Long, Int]) = {
    val parts = graph.asInstanceOf[GraphImpl[Int, Int]].edges.partitionsRDD.map {
      case (_, part) => part.iterator.map(_.toString).toList
    }
    (parts.collect().toSeq, graph.vertices.collect().toMap)
  }

  private val id = Gen.oneOf(
    Gen.chooseNum(-20L, 20L),
    Gen.oneOf(Long.MinValue, Long.MaxValue, 999999999999999999L, -1000000000000000000L)
  ).map(_.toString)
  private val odd = Gen.oneOf("+7", "007", "\u0663") // Java's numbers
  private val blank = Gen.oneOf("\t", " ", "  \t ", "\u000b", "\f")
  private val line = Gen.frequency(
    20 -> Gen.zip(id, blank, id, Gen.oneOf("", " ", "\t1.5", " and more")).map(f =>
      f._1 + f._2 + f._3 + f._4
    ),
    1 -> Gen.zip(odd, blank, odd).map(f => f._1 + f._2 + f._3),
    1 -> Gen.const("# a comment"),
    1 -> Gen.const("")
  )

  test("any list gives the partitions and vertices that GraphX's own loader gives") {
    forAll(
      Gen.listOf(line),
      Gen.oneOf("\n", "\r\n"),
      Gen.chooseNum(-1, 4),
      Gen.oneOf(true, false),
      minSuccessful(20)
    ) { (lines: List[String], end: String, parts: Int, isCanonical: Boolean) =>
      val file = written(lines.mkString(end)).toString
      def load(): Graph[Int, Int] = GraphLoader.edgeListFile(context, file, isCanonical, parts)
      assert(told(withEngine(load())) == told(withStock(load())))
    }
  }

  test("storage levels and the name of the edges are the caller's and GraphX's") {
    val file = written("1 2\n2 3\n").toString
    def load(): Graph[Int, Int] = GraphLoader.edgeListFile(
      context,
      file,
      edgeStorageLevel = StorageLevel.DISK_ONLY,
      vertexStorageLevel = StorageLevel.MEMORY_ONLY_SER
    )
    val graph = withEngine(load()).cache()
    assert(graph.edges.getStorageLevel == StorageLevel.DISK_ONLY)
    assert(graph.vertices.getStorageLevel == StorageLevel.MEMORY_ONLY_SER)
    assert(nameOf(graph) == nameOf(withStock(load())))
  }

  private def nameOf(graph: Graph[Int, Int]): String =
    graph.asInstanceOf[GraphImpl[Int, Int]].edges.partitionsRDD.name

  private def refusal(file: Path, parts: Int): String = {
    val failure =
      intercept[SparkException](withEngine(GraphLoader.edgeListFile(
        context,
        s"$file",
        false,
        parts
      )))
    failure.getMessage.linesIterator.find(_.contains("isn't an edge")).getOrElse(failure.getMessage)
  }

  test("a line that isn't an edge is refused with its file and number, in any part of the file") {
    val good = (1 to 3000).map(i => s"$i ${i + 1}")
    for (
      (bad, number, why) <- Seq(
        ("7", 1, "it has one field"),
        ("1.5 2", 1500, "For input string: \"1.5\""),
        ("9223372036854775808 1", 2999, "For input string: \"9223372036854775808\""),
        (" 1 2", 3001, "For input string: \"\"")
      )
    ) {
      val file = written((good.take(number - 1) :+ bad) ++ good.drop(number - 1) mkString "\n")
      val said = refusal(file, 3)
      assert(
        said.contains(s"$file, line $number isn't an edge: $bad ($why); each line wants"),
        said
      )
    }
  }

  private def compressed(name: String)(stream: OutputStream => OutputStream): Path = {
    val file = folder.resolve(name)
    val out = stream(new FileOutputStream(file.toFile))
    try out.write("1 2\n2 3\nthree 4\n".getBytes(UTF_8))
    finally out.close()
    file
  }

  test("a bad line of a compressed file has its number, if the format cannot be split") {
    val gz = compressed("edges.gz")(new GZIPOutputStream(_))
    assert(refusal(gz, 1).contains(s"$gz, line 3 isn't an edge: three 4"))
    val bz2 = compressed("edges.bz2") { out =>
      new org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream(out)
    }
    assert(refusal(bz2, 1).contains(s"$bz2, a line after byte "))
  }
}
