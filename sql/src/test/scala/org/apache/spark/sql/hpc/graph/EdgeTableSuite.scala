package org.apache.spark.sql.hpc.graph

import scala.collection.JavaConverters._

import org.apache.spark.graphx.{Edge, Graph}
import org.apache.spark.graphx.lib.ShortestPaths
import org.apache.spark.sql.{AnalysisException, DataFrame, SparkSession}
import org.apache.spark.sql.functions.col
import org.scalacheck.Gen
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** Results from tables, of numbers and of strings, beside those of GraphX's own calls. */
class EdgeTableSuite extends AnyFunSuite with BeforeAndAfterAll with ScalaCheckPropertyChecks {

  private lazy val session = SparkSession.builder().master("local[2]").appName(suiteName)
    .config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "3").getOrCreate()

  import session.implicits._

  override protected def afterAll(): Unit =
    try session.stop()
    finally super.afterAll()

  private type Pairs = Seq[(Long, Long)]

  private val graphs: Gen[Pairs] =
    Gen.nonEmptyListOf(Gen.zip(Gen.chooseNum(0L, 12L), Gen.chooseNum(0L, 12L)))

  private def numbers(pairs: Pairs): EdgeTable =
    new EdgeTable(pairs.toDF("from", "to"), "from", "to")

  /** Names in the order of the numbers, some of which aren't ASCII. */
  private def name(id: Long): String = f"é $id%02d"

  private def strings(pairs: Pairs): EdgeTable = new EdgeTable(
    pairs.map { case (from, to) => (name(from), 0.5, name(to)) }.toDF("from", "weight", "to"),
    "from",
    "to"
  )

  private def graph(pairs: Pairs): Graph[Int, Int] = Graph.fromEdges(
    session.sparkContext.parallelize(pairs.map { case (from, to) => Edge(from, to, 1) }),
    1
  )

  private def byId(table: DataFrame): Map[Any, Any] =
    table.collect().map(row => row.get(0) -> row.get(1)).toMap

  private def named(of: Map[Any, Any]): Map[Any, Any] =
    of.map { case (id, value) => name(id.asInstanceOf[Long]) -> value }

  private def assertClose(found: Map[Any, Any], wanted: Map[Any, Any]): Unit = {
    assert(found.keySet == wanted.keySet)
    for ((id, rank: Double) <- found) {
      val expected = wanted(id).asInstanceOf[Double]
      assert(math.abs(rank - expected) <= 1e-9 * math.abs(expected), id)
    }
  }

  private def any[K, V](of: Traversable[(K, V)]): Map[Any, Any] = of.map(identity[(Any, Any)]).toMap

  private def forAllGraphs(check: (Pairs, Graph[Int, Int]) => Unit): Unit =
    forAll(graphs, minSuccessful(2))(pairs => check(pairs, graph(pairs)))

  test("ranks, of a number of iterations and until convergence", Slow) {
    forAllGraphs { (pairs, graph) =>
      val fixed = any(graph.staticPageRank(4).vertices.collect())
      assertClose(byId(numbers(pairs).pageRank(4, 0.15, null)), fixed)
      assertClose(byId(strings(pairs).pageRank(4, 0.15, null)), named(fixed))
      // A high probability has it end after few iterations.
      val converged = any(graph.pageRank(0.01, 0.5).vertices.collect())
      assertClose(byId(numbers(pairs).pageRankUntilConvergence(0.01, 0.5, null)), converged)
    }
  }

  test("personalised ranks, of one vertex and of several", Slow) {
    forAllGraphs { (pairs, graph) =>
      val source = pairs.head._1
      def ranks(from: Long): Map[Any, Any] =
        any(graph.staticPersonalizedPageRank(from, 3).vertices.collect())
      val wanted = ranks(source)
      assertClose(byId(numbers(pairs).pageRank(3, 0.15, source.toInt)), wanted)
      assertClose(byId(strings(pairs).pageRank(3, 0.15, name(source))), named(wanted))
      val sources = pairs.flatMap { case (from, to) => Seq(to, from) }.distinct.take(3)
      val several =
        strings(pairs).personalizedPageRanks(sources.map(name(_): Any).asJava, 3, 0.15)
      assert(several.columns.toSeq == Seq("id", "source", "pagerank"))
      assert(several.count() == sources.size * wanted.size)
      for (from <- sources) {
        val alone = if (from == source) wanted else ranks(from)
        assertClose(
          byId(several.where(several("source") === name(from)).drop("source")),
          named(alone)
        )
      }
    }
  }

  test("components, named by their least vertex", Slow) {
    forAllGraphs { (pairs, graph) =>
      val wanted = graph.connectedComponents().vertices.collect()
      assert(byId(numbers(pairs).connectedComponents()) == any(wanted))
      assert(byId(strings(pairs).connectedComponents()) == any(wanted.map { case (id, component) =>
        name(id) -> name(component)
      }))
    }
  }

  test("shortest paths to those landmarks that a vertex reaches", Slow) {
    forAllGraphs { (pairs, graph) =>
      val landmarks = pairs.map(_._2).distinct.take(2)
      val wanted = ShortestPaths.run(graph, landmarks).vertices.collect().flatMap {
        case (id, distances) => distances.map { case (landmark, far) => (id, landmark, far) }
      }.toSet
      val found = numbers(pairs).shortestPaths(landmarks.map(identity[Any]).asJava)
      assert(found.columns.toSeq == Seq("id", "landmark", "distance"))
      assert(found.as[(Long, Long, Int)].collect().toSet == wanted)
      val names = strings(pairs).shortestPaths(landmarks.map(name(_): Any).asJava)
      assert(names.as[(String, String, Int)].collect().toSet == wanted.map {
        case (id, landmark, far) => (name(id), name(landmark), far)
      })
    }
  }

  test("ids have the wider type of the two columns") {
    val edges = Seq((1L, 2L), (2L, 300L)).toDF("a", "b")
    for (
      (one, other, wider) <- Seq(
        ("tinyint", "smallint", "smallint"),
        ("int", "smallint", "int"),
        ("int", "int", "int"),
        ("bigint", "int", "bigint")
      )
    ) {
      val typed = edges.select(col("a").cast(one), col("b").cast(other))
      val ranks = new EdgeTable(typed, "a", "b").pageRank(1, 0.15, null)
      assert(ranks.schema("id").dataType.simpleString == wider)
      assert(ranks.select(col("id").cast("bigint")).as[Long].collect().toSet == Set(1L, 2L, 300L))
    }
  }

  test("a table without edges has no vertices") {
    val none = Seq((1L, 2L)).toDF("src", "dst").where("src > 1")
    assert(new EdgeTable(none, "src", "dst").pageRank(2, 0.15, null).isEmpty)
    assert(new EdgeTable(none, "src", "dst").connectedComponents().isEmpty)
    val noPartitions = session.createDataFrame(session.sparkContext.emptyRDD[(String, String)])
    assert(new EdgeTable(noPartitions, "_1", "_2").pageRank(2, 0.15, null).isEmpty)
  }

  test("the graph is unpersisted, and the result stays cached") {
    def cached: Set[Int] = session.sparkContext.getRDDStorageInfo.map(_.id).toSet
    val before = cached
    val ranks = numbers(Seq(1L -> 2L, 2L -> 3L)).pageRank(3, 0.15, null)
    assert((cached -- before).size == 1)
    assert(ranks.count() == 3)
  }

  private def assertRefused(message: String)(program: => Any): Unit = {
    val refused = intercept[IllegalArgumentException](program)
    assert(refused.getMessage == message)
  }

  test("columns that can't name vertices") {
    val edges =
      session.sql("SELECT 1.5D AS half, 'a' AS text, 7 AS number, DATE'2026-01-01' AS day")
    assertRefused(
      "column 'half' has the type double: cast it to bigint, or to string; vertices are whole numbers or strings"
    )(new EdgeTable(edges, "half", "number"))
    assertRefused(
      "column 'day' has the type date: cast it to bigint, or to string; vertices are whole numbers or strings"
    )(new EdgeTable(edges, "text", "day"))
    assertRefused(
      "column 'text' has the type string and column 'number' has the type int: cast one of them to the type of the other"
    )(new EdgeTable(edges, "text", "number"))
    val unknown = intercept[AnalysisException](new EdgeTable(edges, "nowhere", "number"))
    assert(unknown.getMessage.contains("`nowhere`") && unknown.getMessage.contains("`number`"))
  }

  test("nulls, and numbers below 0") {
    val edges = Seq[(Option[Int], Option[Int], Option[String])](
      (Some(1), Some(2), Some("-a")),
      (None, Some(-3), None),
      (None, Some(-2), Some("b"))
    ).toDF("a", "b", "c")
    assertRefused("column 'a' is null in 2 rows: leave such rows out, as na.drop does")(
      new EdgeTable(edges, "a", "b")
    )
    assertRefused("column 'c' is null in 1 row: leave such rows out, as na.drop does")(
      new EdgeTable(edges, "c", "c")
    )
    assertRefused(
      "column 'b' has the vertex -3, and vertices are whole numbers from 0: cast both columns to string to take " +
        "them for names"
    )(new EdgeTable(edges.na.drop(Seq("b")), "b", "b"))
    assert(
      byId(new EdgeTable(edges.na.drop(), "c", "c").connectedComponents()) == Map("-a" -> "-a")
    )
  }

  test("parameters") {
    val edges = numbers(Seq(1L -> 2L))
    assertRefused("iterations is 0: write a number above 0")(edges.pageRank(0, 0.15, null))
    assertRefused("reset is 1.5: write a probability, such as 0.15")(edges.pageRank(1, 1.5, null))
    assertRefused("tolerance is 0.0: write a number above 0, such as 0.001")(
      edges.pageRankUntilConvergence(0, 0.15, null)
    )
    assertRefused("source: no edge has the vertex 3: name one of columns 'from' and 'to'")(
      edges.pageRank(1, 0.15, 3)
    )
    assertRefused("source has a: write a whole number, as the edges' columns have")(
      edges.pageRank(1, 0.15, "a")
    )
    assertRefused("landmarks is empty: name a vertex at least")(
      edges.shortestPaths(Seq.empty[Any].asJava)
    )
    assertRefused("sources has 2 twice: leave one of them out")(
      edges.personalizedPageRanks(Seq[Any](2, 1, 2).asJava, 1, 0.15)
    )
    assertRefused("landmarks has 2: write a string, as the edges' columns have")(
      strings(Seq(1L -> 2L)).shortestPaths(Seq[Any](2).asJava)
    )
  }
}
