package org.apache.spark.storage

import org.scalacheck.Gen

/** Programs at random that cache more than fits in memory. */
private[storage] object GeneratedCaches {

  /** An RDD of a program.
    *
    * @param kind `source`; of others `mapped`, `zipped` or `shuffled`
    * @param of the RDDs that it is computed from, by their indices
    * @param each how many elements a partition has at most, each with so many `bytes` of ballast
    * @param lossy see [[org.apache.spark.hpc.elements.Elements]]; None: only what serializers keep
    * @param nanos how long a partition takes to compute, besides
    */
  final case class Node(
      kind: String,
      of: Seq[Int],
      partitions: Int,
      each: Int,
      bytes: Int,
      lossy: Option[Int],
      seed: Long,
      level: String,
      nanos: Long
  )

  sealed trait Step

  /** Each in a thread of its own; `spill`: what these jobs say, if they do. */
  final case class Read(nodes: Seq[Int], spill: Option[String]) extends Step
  final case class ReadSome(node: Int, elements: Int) extends Step
  final case class Unpersist(node: Int) extends Step
  final case class Persist(node: Int) extends Step

  /** The next computation of a partition fails in its middle. */
  final case class Fail(node: Int, partition: Int) extends Step

  /** What happens to a spilled file of an RDD. */
  final case class Damage(what: String, node: Int, seed: Long) extends Step

  /** Another RDD takes all the memory. */
  case object Press extends Step

  final case class Program(nodes: Seq[Node], steps: Seq[Step]) {
    def lines: String =
      (nodes.zipWithIndex.map { case (node, i) => s"$i: $node" } ++ steps).mkString("\n")

    /** With a step less. */
    def smaller: Seq[Program] =
      steps.indices.map(i => copy(steps = steps.patch(i, Nil, 1))).filter(_.steps.nonEmpty)
  }

  private val Levels =
    Seq("MEMORY_ONLY", "MEMORY_ONLY_SER", "MEMORY_ONLY_2", "MEMORY_AND_DISK", "NONE")

  val Damages: Seq[String] = Seq("deleted", "cut", "flipped")

  /** Whether Spark itself serializes elements at this level: what is lost then is lost in stock, too. */
  private def isSerialized(level: String) = level != "MEMORY_ONLY" && level != "NONE"

  private def node(before: Seq[Node]): Gen[Node] = {
    // What a level serializes must be what serializers keep, as well as what it was made from.
    def parents(level: String, like: Option[Node]) = before.indices.filter { i =>
      (!isSerialized(level) || before(i).lossy.isEmpty) &&
      like.forall(_.partitions == before(i).partitions)
    }
    for {
      level <- Gen.frequency(
        8 -> Levels.head,
        2 -> Levels(1),
        1 -> Levels(2),
        1 -> Levels(3),
        1 -> Levels(4)
      )
      kind <- Gen.oneOf("source", "mapped", "zipped", "shuffled")
      one <- Gen.option(if (parents(level, None).isEmpty) Gen.const(0)
      else Gen.oneOf(parents(level, None)))
      first = one.filter(_ => kind != "source" && parents(level, None).nonEmpty)
      second <- first.map(i => Gen.oneOf(parents(level, Some(before(i))))).getOrElse(Gen.const(0))
      partitions <- Gen.choose(1, 6)
      each <- Gen.frequency(1 -> 0, 12 -> Gen.choose(1, 12))
      bytes <- Gen.frequency(1 -> 0, 6 -> Gen.choose(5000, 20000), 1 -> 60000)
      lossy <- if (isSerialized(level)) Gen.const(None)
      else Gen.frequency(2 -> None, 1 -> Gen.some(Gen.oneOf(0, 1, 5, 30)))
      seed <- Gen.choose(Long.MinValue, Long.MaxValue)
      nanos <- Gen.oneOf(0L, 4000000L)
    } yield (kind, first) match {
      case (_, None) =>
        Node("source", Nil, partitions, each, bytes, lossy, seed, level, nanos)
      case (_, Some(i)) =>
        val like = before(i)
        val inherited = if (kind == "shuffled") lossy else lossier(lossy, like.lossy)
        kind match {
          case "zipped" =>
            val both = lossier(inherited, before(second).lossy)
            Node(kind, Seq(i, second), like.partitions, 0, bytes / 2, both, seed, level, nanos)
          case "shuffled" =>
            Node(kind, Seq(i), partitions, each, bytes, inherited, seed, level, nanos)
          case _ =>
            Node(kind, Seq(i), like.partitions, 0, bytes / 2, inherited, seed, level, nanos)
        }
    }
  }

  private def lossier(one: Option[Int], other: Option[Int]): Option[Int] =
    if (one.isEmpty && other.isEmpty) None else Some(one.getOrElse(0) max other.getOrElse(0))

  private def nodes(count: Int): Gen[Seq[Node]] =
    (1 to count).foldLeft(Gen.const(Seq.empty[Node])) { (before, _) =>
      before.flatMap(before => node(before).map(before :+ _))
    }

  private def step(nodes: Seq[Node]): Gen[Step] = {
    val any = Gen.choose(0, nodes.size - 1)
    val several = Gen.choose(1, 3).flatMap(Gen.listOfN(_, any))
    Gen.frequency(
      10 -> Gen.zip(several, Gen.frequency(8 -> None, 1 -> Some("never"), 1 -> Some("always")))
        .map { case (nodes, spill) => Read(nodes, spill) },
      2 -> Gen.zip(any, Gen.choose(0, 3)).map(ReadSome.tupled),
      1 -> any.map(Unpersist(_)),
      1 -> any.map(Persist(_)),
      1 -> Gen.zip(any, Gen.choose(0, 5)).map(Fail.tupled),
      3 -> Gen.zip(Gen.oneOf(Damages), any, Gen.choose(0L, 99L)).map(Damage.tupled),
      1 -> Gen.const(Press)
    )
  }

  val program: Gen[Program] = for {
    count <- Gen.choose(2, 5)
    nodes <- nodes(count)
    length <- Gen.choose(2, 8)
    steps <- Gen.listOfN(length, step(nodes))
  } yield Program(nodes, Read(nodes.indices, None) +: steps :+ Read(nodes.indices, None))

  /** Of an application, which runs many programs. */
  val settings: Gen[Seq[(String, String)]] =
    for {
      serializer <- Gen.oneOf("JavaSerializer", "KryoSerializer")
      spill <- Gen.oneOf("auto", "always")
      policy <- Gen.oneOf("lru", "lrc", "loop")
      kind <- Gen.frequency(2 -> "local", 1 -> "shared")
      compress <- Gen.oneOf(true, false)
      encryption <- Gen.frequency(4 -> false, 1 -> true)
      memory <- Gen.oneOf(300000L, 600000L)
    } yield Seq(
      "spark.serializer" -> s"org.apache.spark.serializer.$serializer",
      "spark.hpc.retention.spill" -> spill,
      "spark.hpc.retention.policy" -> policy,
      "spark.hpc.scratch.kind" -> kind,
      "spark.rdd.compress" -> compress.toString,
      "spark.io.encryption.enabled" -> encryption.toString,
      "spark.testing.memory" -> (2 * memory).toString
    )
}
