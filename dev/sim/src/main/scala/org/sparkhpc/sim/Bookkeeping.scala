package org.sparkhpc.sim

import java.io.PrintStream
import java.lang.management.ManagementFactory

import org.apache.spark.examples.hpc.{Program, Refusal}
import org.sparkhpc.retain.{DiskSpeed, LeastReferenceCount, LoopAware, Lru}
import org.sparkhpc.retain.RetentionPolicy
import org.sparkhpc.retain.trace.TraceBlock

/** Says what each policy takes to know many blocks: memory, and the time of what is done under locks. */
object Bookkeeping extends Program {

  private val partitions = 1000
  private val rounds = 5

  override protected def execute(args: Seq[String], out: PrintStream): Unit = {
    val count = args match {
      case Seq() => 100000
      case Seq(number) if number.matches("[1-9][0-9]{0,7}") => number.toInt
      case _ => throw Refusal.usage(s"${args.mkString(" ")}: give the number of blocks, or nothing")
    }
    out.println(s"$count blocks of ${math.max(1, count / partitions)} generations\n")
    out.println(
      "| policy | bytes a block | us to store | us to use | us to evict |\n|---|---|---|---|---|"
    )
    for ((name, make) <- policies) {
      // All but the last round warm up.
      val took = (1 to rounds).map(_ => measure(make(), count)).last
      out.println(s"| $name | ${took.map(number => f"$number%.1f").mkString(" | ")} |")
    }
  }

  private def policies: Seq[(String, () => RetentionPolicy[TraceBlock])] = Seq(
    "lru" -> (() => new Lru[TraceBlock]),
    "lrc" -> (() => new LeastReferenceCount(Replay.Names)),
    "loop" -> (() => new LoopAware(Replay.Names, new DiskSpeed, (_: TraceBlock) => true))
  )

  private def measure(policy: RetentionPolicy[TraceBlock], count: Int): Seq[Double] = {
    val blocks = (0 until count).map(n => TraceBlock(n / partitions, n % partitions))
    val before = heapInUse()
    val toStore = micros(count)(blocks.foreach(make(policy, _)))
    val bytes = heapInUse() - before
    val toUse = micros(count)(blocks.foreach(policy.used))
    val toEvict = micros(count)(blocks.foreach(_ => evict(policy)))
    Seq(bytes.toDouble / count, toStore, toUse, toEvict)
  }

  /** A block that reads the last generation's twice, and the first one's. */
  private def make(policy: RetentionPolicy[TraceBlock], block: TraceBlock): Unit = {
    policy.requested(block, None)
    policy.stored(block, 100000)
    val reads =
      if (block.rdd == 0) Nil
      else Seq(block.rdd - 1, block.rdd - 1, 0).map(TraceBlock(_, block.partition))
    policy.computed(block, 1000000L, reads)
  }

  private def evict(policy: RetentionPolicy[TraceBlock]): Unit = {
    var victim: Option[TraceBlock] = None
    policy.walk { block =>
      victim = Some(block)
      false
    }
    victim.foreach { block =>
      policy.isWorthWriting(block)
      policy.evicted(block)
      policy.written(block)
      policy.left(block)
    }
  }

  // Spark's SizeEstimator takes samples, each of which reaches all blocks by their lineage.
  private def heapInUse(): Long = {
    System.gc()
    ManagementFactory.getMemoryMXBean.getHeapMemoryUsage.getUsed
  }

  private def micros(count: Int)(work: => Unit): Double = {
    val begun = System.nanoTime()
    work
    (System.nanoTime() - begun) / 1000.0 / count
  }
}
