package org.apache.spark.graphx.hpc

import java.io.File
import java.net.URL
import java.nio.file.{Files, Path, Paths}
import java.util.jar.JarFile

import scala.collection.JavaConverters._

import com.google.common.io.ByteStreams
import org.scalatest.funsuite.AnyFunSuite

/** What the weave of the real spark-graphx changed. */
class WovenGraphXSuite extends AnyFunSuite {
  private val probe = "org/apache/spark/graphx/lib/PageRank$.class"
  private val hooked = Set(
    probe,
    "org/apache/spark/graphx/GraphLoader$.class",
    "org/apache/spark/graphx/GraphXUtils$.class",
    "org/apache/spark/graphx/lib/ConnectedComponents$.class",
    "org/apache/spark/graphx/lib/ShortestPaths$.class"
  )
  private val copies: Seq[URL] = getClass.getClassLoader.getResources(probe).asScala.toSeq

  private val woven: Path = copies.collectFirst {
    case url if url.getProtocol == "file" =>
      Paths.get(url.toURI.resolve("../../../../..")).normalize
  }.get

  private val stock: File = copies.collectFirst {
    case url if url.getProtocol == "jar" => new File(new URL(url.getPath.takeWhile(_ != '!')).toURI)
  }.get

  test("every entry of the stock jar is there, and only the classes with hooked methods differ") {
    val jar = new JarFile(stock)
    val changed =
      try
        jar.entries.asScala.filterNot(_.isDirectory).filterNot(
          _.getName == JarFile.MANIFEST_NAME
        ).filterNot { entry =>
          ByteStreams.toByteArray(jar.getInputStream(entry))
            .sameElements(Files.readAllBytes(woven.resolve(entry.getName)))
        }.map(_.getName).toSet
      finally jar.close()
    assert(changed == hooked)
  }

  test("the site list and what was woven travel with the classes") {
    for (name <- Seq("weave.manifest", "spark-graphx.sites"))
      assert(Files.isRegularFile(woven.resolve(s"META-INF/spark-hpc/$name")))
  }
}
