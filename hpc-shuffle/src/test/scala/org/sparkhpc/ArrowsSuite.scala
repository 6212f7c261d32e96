package org.sparkhpc

import java.nio.file.{Files, Path, Paths}

import scala.collection.JavaConverters._

import org.scalatest.funsuite.AnyFunSuite

/** Dependencies between files and between packages of the engine, core, graphx and hpc-shuffle point one way.
  *
  * That the engine doesn't know Spark is held by the compiler: Spark isn't on its class path.
  */
class ArrowsSuite extends AnyFunSuite {
  import ArrowsSuite._

  test("a circle is found, and what is none isn't") {
    val graph = new SourceGraph(
      Map("p/a" -> Set("p/b"), "p/b" -> Set("q/c"), "q/c" -> Set("p/a", "q/d"), "q/d" -> Set.empty)
    )
    assert(graph.circles == Set(Set("p/a", "p/b", "q/c")))
    assert(graph.packages.uses == Map("p" -> Set("q"), "q" -> Set("p")))
    assert(new SourceGraph(Map("a" -> Set("b"), "b" -> Set("c"))).circles.isEmpty)
  }

  test("no files need each other") {
    for (module <- Modules) assert(graph.uses.keys.exists(_.contains(ofModule(module))), module)
    assert(graph.circles.map(_.map(short)) == KnownCircles)
  }

  test("no packages need each other") {
    assert(graph.packages.circles.map(_.map(short)) == KnownPackageCircles)
  }

  test(
    "the engine's packages know nothing of each other, but for requests, and the file system on two of them"
  ) {
    val engine = graph.packages.uses.filterKeys(_.startsWith(Engine)).map { case (name, uses) =>
      name.drop(Engine.length).takeWhile(_ != '/') -> uses.map(
        _.drop(Engine.length).takeWhile(_ != '/')
      )
    }
    val known = Map("hadoop" -> Set("file", "tier"))
    for ((name, uses) <- engine)
      assert((uses - name - "request") == known.getOrElse(name, Set.empty), name)
  }

  test(s"no file names more than $MostUsed others of ours") {
    val many = graph.uses.filter(_._2.size > MostUsed).map { case (file, uses) =>
      file -> uses.size
    }
    assert(many.isEmpty)
  }

  test(s"no source has more than $MostLines lines, but for the list of settings") {
    val long =
      sources.map(file => file.getFileName.toString -> lines(file)).filter(_._2 > MostLines)
    assert(long.map(_._1) == Seq("Hpc.scala"), long)
  }
}

private object ArrowsSuite {
  private val MostUsed = 15
  private val MostLines = 250
  private val Engine = "org/sparkhpc/"
  private val Modules = Seq("engine", "core", "graphx", "hpc-shuffle")

  /** Modules whose classes are woven into Spark's. */
  private val Woven = Set("core", "graphx")

  // Spark's own types force these.
  private val KnownCircles = Set.empty[Set[String]]
  private val KnownPackageCircles = Set.empty[Set[String]]

  private val root = Paths.get(sys.props("root.dir"))

  private def classesOf(module: String): Path =
    root.resolve(module).resolve(if (Woven(module)) "target/own-classes" else "target/classes")

  private def ofModule(module: String): String =
    Map(
      "engine" -> Engine,
      "core" -> "spark/storage/",
      "graphx" -> "graphx/hpc/",
      "hpc-shuffle" -> "shuffle/hpc/"
    )(module)

  private def short(file: String): String = file.replace("org/apache/spark/", "")

  private lazy val graph = SourceGraph.of(Modules.map(classesOf))

  private lazy val sources: Seq[Path] = Modules.flatMap { module =>
    val walk = Files.walk(root.resolve(module).resolve("src/main"))
    try walk.iterator.asScala.filter(_.toString.matches(".*[.](scala|java)")).toList
    finally walk.close()
  }

  private def lines(file: Path): Int = Files.readAllLines(file).size
}
