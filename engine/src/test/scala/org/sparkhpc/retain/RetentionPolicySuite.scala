package org.sparkhpc.retain

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** What holds for each policy. */
class RetentionPolicySuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  import Blocks._

  private val policies = Seq[(String, () => RetentionPolicy[Block])](
    "least recently used" -> (() => new Lru),
    "least reference count" -> (() => new LeastReferenceCount(Names)),
    "least recently used, observed" -> (() => new Observed(new Lru, Names, new DiskSpeed)),
    "loop, with a disk" -> (() => new LoopAware(Names, new DiskSpeed, (_: Block) => true)),
    "loop, without a disk" -> (() => new LoopAware(Names, new DiskSpeed, (_: Block) => false))
  )

  private val block = Gen.zip(Gen.choose(0, 3), Gen.choose(0, 3)).map(Block.tupled)

  /** Something that happens: what of it the blocks in memory are afterwards. */
  private type Event = (RetentionPolicy[Block], Set[Block]) => Set[Block]

  private def on(tell: (RetentionPolicy[Block], Block) => Unit)(
      after: (Set[Block], Block) => Set[Block]
  ): Gen[Event] = block.map(block =>
    (policy, inMemory) => {
      tell(policy, block)
      after(inMemory, block)
    }
  )

  private val same = (inMemory: Set[Block], _: Block) => inMemory

  private val events: Gen[List[Event]] = Gen.listOf(
    Gen.oneOf(
      on((policy, block) => policy.stored(block, block.partition + 1L))(_ + _),
      on((policy, block) => policy.left(block))(_ - _),
      on((policy, block) => policy.used(block))(same),
      on((policy, block) => policy.requested(block, Some(block).filter(_.partition > 1)))(same),
      on((policy, block) => policy.computed(block, block.partition * 7L, before(block)))(same),
      on((policy, block) => policy.written(block))(same),
      on((policy, block) => policy.erased(block))(same),
      on((policy, block) => policy.evicted(block))(same),
      on((policy, block) => policy.referenced(Map(block.rdd -> block.partition)))(same),
      block.map { block => (policy: RetentionPolicy[Block], inMemory: Set[Block]) =>
        inMemory.filter(_.rdd == block.rdd).foreach(policy.left)
        policy.forgotten(block.rdd)
        inMemory.filter(_.rdd != block.rdd)
      }
    )
  )

  private def before(block: Block): Seq[Block] =
    (0 until block.rdd).map(Block(_, block.partition)) ++ (0 until block.rdd).map(Block(_, 0))

  for ((name, make) <- policies) {
    test(s"$name: a walk shows each block in memory, once, as often as one looks") {
      forAll(events, minSuccessful(200)) { events =>
        val policy = make()
        val inMemory = events.foldLeft(Set.empty[Block])((now, event) => event(policy, now))
        val order = shown(policy)
        assert(order.size == inMemory.size && order.toSet == inMemory)
        for (block <- order) {
          policy.isWorth(block, order)
          policy.isWorthReading(block)
          policy.isWorthWriting(block)
        }
        assert(shown(policy) == order)
        policy.end()
        assert(shown(policy).isEmpty)
      }
    }

    test(s"$name: a walk ends when told so") {
      val policy = make()
      (0 until 5).foreach(n => policy.stored(Block(n, 0), 1))
      var seen = 0
      policy.walk { _ =>
        seen += 1
        seen < 3
      }
      assert(seen == 3)
    }

    test(s"$name: what was alike leaves in the order of its use") {
      forAll(Gen.listOf(Gen.choose(0, 9))) { uses =>
        val policy = make()
        val blocks = (0 until 10).map(Block(1, _))
        blocks.foreach(policy.stored(_, 10))
        uses.foreach(n => policy.used(blocks(n)))
        val last = uses.zipWithIndex.toMap
        assert(shown(policy) == blocks.sortBy(block => last.getOrElse(block.partition, -1)))
      }
    }
  }
}
