package org.apache.spark.examples.hpc

import java.lang.reflect.Modifier
import java.nio.file.{Files, Path, Paths}

import scala.collection.JavaConverters._
import scala.util.Try

import org.scalatest.funsuite.AnyFunSuite

/** The list by which `bin/run-example` knows the programs. */
class ProgramsSuite extends AnyFunSuite {

  private val classes =
    Paths.get(PageRank.getClass.getProtectionDomain.getCodeSource.getLocation.toURI)
  private val list = classes.resolve("../../programs")

  test("examples/programs has every class with a main method, in order, and nothing else") {
    val programs = names.filter(name => hasMain(s"org.apache.spark.examples.$name")).sorted
    assert(programs.size > 20 && programs.contains("hpc.PageRank"))
    assert(Files.readAllLines(list).asScala == programs)
  }

  /** Of all classes that aren't inside of another: `hpc.PageRank`. */
  private def names: Seq[String] = {
    val folder = classes.resolve("org/apache/spark/examples/hpc")
    val files = Files.list(folder)
    try files.iterator().asScala.map(nameOf).filterNot(_.contains('$')).map("hpc." + _).toList
    finally files.close()
  }

  private def nameOf(file: Path): String = file.getFileName.toString.stripSuffix(".class")

  private def hasMain(name: String): Boolean =
    Try(Class.forName(name, false, getClass.getClassLoader).getMethod(
      "main",
      classOf[Array[String]]
    ))
      .toOption.exists(method => Modifier.isStatic(method.getModifiers))
}
