package org.sparkhpc.retain

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class LineageSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  import Blocks._
  import LineageSuite._

  private def lineage = new Lineage[Block](Names, _ => ())

  private def close(a: Double, b: Double): Boolean = math.abs(a - b) <= 1e-9 * math.max(a, b)

  private val events: Gen[List[Event]] = Gen.listOf(
    Gen.frequency(
      4 -> Gen.zip(Gen.choose(0, 1), Gen.choose(0L, 9L), Gen.listOf(Gen.choose(0, 40))).map {
        case (partition, nanos, reads) => Compute(partition, nanos, reads.take(4))
      },
      4 -> Gen.zip(Gen.choose(0, 40), Gen.oneOf(true, false)).map { case (n, in) => Move(n, in) },
      1 -> Gen.choose(0, 20).map(Forget)
    )
  )

  test("costs are what counting all paths gives, whatever comes, moves and goes") {
    forAll(events, minSuccessful(300)) { events =>
      val lineage = this.lineage
      val model = new Model
      var computations = 0
      events.foreach {
        case Compute(partition, nanos, reads) =>
          val block = Block(computations / 2, partition)
          computations += 1
          if (!model.all.contains(block) && !model.forgotten(block.rdd)) {
            val from = reads.flatMap(model.pick).filterNot(read => model.forgotten(read.rdd))
            model.add(block, nanos, from)
            lineage.computed(block, nanos, from)
          }
        case Move(n, isThere) =>
          for (block <- model.pick(n) if !model.forgotten(block.rdd)) {
            if (isThere) model.available += block else model.available -= block
            lineage.of(block).inMemory = isThere
            lineage.moved(lineage.of(block))
          }
        case Forget(rdd) if model.all.exists(_.rdd == rdd) =>
          model.forgotten += rdd
          model.available = model.available.filter(_.rdd != rdd)
          lineage.forget(rdd)
        case Forget(_) =>
      }
      for (block <- model.all if !model.forgotten(block.rdd)) {
        assert(close(lineage.of(block).again, model.again(block)))
        assert(close(lineage.of(block).atWorst, model.atWorst(block)))
      }
      for (rdd <- model.forgotten) assert(lineage.ofRdd(rdd).isEmpty)
    }
  }

  test("a block without an RDD, such as a broadcast, is forgotten when it leaves memory") {
    val lineage = this.lineage
    for (block <- Seq(Block(-1, 0), Block(1, 0))) lineage.left(lineage.of(block))
    assert(lineage.get(Block(-1, 0)).isEmpty && lineage.get(Block(1, 0)).nonEmpty)
  }

  test("a generation that reads the last one twice costs twice as much, once that is gone") {
    val lineage = this.lineage
    for (generation <- 0 to 40) {
      val reads = if (generation == 0) Nil else Seq.fill(2)(Block(generation - 1, 0))
      lineage.computed(Block(generation, 0), 1, reads)
    }
    // 1 + 2 + 4 + ... : one for each path to each ancestor.
    (0 until 40).foreach(lineage.forget)
    assert(lineage.of(Block(40, 0)).again == math.pow(2, 41) - 1)
  }

  test("however deep a history is, its cost is a number") {
    val lineage = this.lineage
    lineage.computed(Block(0, 0), 1, Nil)
    for (generation <- 1 to 2000) {
      lineage.computed(Block(generation, 0), 1, Seq.fill(2)(Block(generation - 1, 0)))
      lineage.forget(generation - 1)
    }
    val cost = lineage.of(Block(2000, 0)).again
    assert(cost > 1e100 && !cost.isInfinite && !cost.isNaN)
  }

  test("a block that reads very many is as costly as they are") {
    val lineage = this.lineage
    val parts = (0 until 1000).map(Block(0, _))
    parts.foreach(lineage.computed(_, 3, Nil))
    lineage.computed(Block(1, 0), 1, parts)
    assert(lineage.of(Block(1, 0)).again == 3001)
    assert(lineage.of(Block(1, 0)).reads.length == Lineage.MaxReads)
  }
}

private object LineageSuite {
  import Blocks._

  sealed trait Event
  final case class Compute(partition: Int, nanos: Long, reads: List[Int]) extends Event
  final case class Move(block: Int, isThere: Boolean) extends Event
  final case class Forget(rdd: Int) extends Event

  /** What the lineage should say, found by walking all paths. */
  final class Model {
    var all = Vector.empty[Block]
    var available = Set.empty[Block]
    var forgotten = Set.empty[Int]
    private var facts = Map.empty[Block, (Long, Seq[Block])]

    def pick(n: Int): Option[Block] = if (all.isEmpty) None else Some(all(n % all.size))

    def add(block: Block, nanos: Long, reads: Seq[Block]): Unit = {
      all :+= block
      facts += block -> (nanos -> reads)
    }

    def again(block: Block): Double =
      facts(block)._1 + facts(block)._2.filterNot(available).map(again).sum

    def atWorst(block: Block): Double = facts(block)._1 + facts(block)._2.map(atWorst).sum
  }
}
