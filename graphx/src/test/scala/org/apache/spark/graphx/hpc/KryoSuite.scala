package org.apache.spark.graphx.hpc

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files

import org.apache.spark.SparkConf
import org.apache.spark.graphx.{GraphLoader, GraphXUtils}
import org.scalatest.funsuite.AnyFunSuite

/** Kryo that must know every class, with those registered that GraphX registers. */
class KryoSuite extends AnyFunSuite with LocalContext {
  override protected def conf: SparkConf = {
    val conf = super.conf
      .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
      .set("spark.kryo.registrationRequired", "true")
      .set(
        "spark.kryo.classesToRegister",
        "scala.reflect.ClassTag$GenericClassTag,[Lorg.apache.spark.graphx.Edge;"
      )
    GraphXUtils.registerKryoClasses(conf)
    conf
  }

  test("the engine's classes are registered with GraphX's") {
    val pairs = (0L until 60L).map(i => s"${i % 17} ${i * i % 19}").mkString("\n")
    val file = Files.write(Files.createTempFile("edges", ".txt"), pairs.getBytes(UTF_8))
    val graph =
      try withEngine(GraphLoader.edgeListFile(context, file.toString)).cache()
      finally Files.delete(file)
    withEngine(graph.pageRank(0.01))
    val ranks = withEngine(graph.staticPageRank(5))
    withEngine(graph.staticPageRank(2, 0.15, ranks))
    withEngine(graph.staticParallelPersonalizedPageRank(Array(1L, 2L), 3)).vertices.count()
    assert(math.abs(ranks.vertices.map(_._2).sum() - graph.numVertices) < 1e-9)
  }
}
