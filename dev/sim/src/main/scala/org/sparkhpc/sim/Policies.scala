package org.sparkhpc.sim

import org.sparkhpc.retain.{CostAware, DiskSpeed, LeastReferenceCount, Lru}
import org.sparkhpc.retain.trace.TraceBlock

/** The policies that can be replayed, by name; `next-use` knows the future. */
object Policies {
  val names: Seq[String] = Seq("lru", "lrc", "cost", "next-use")

  def replay(
      name: String,
      trace: Trace,
      memoryBytes: Long,
      maySpill: Boolean,
      speed: DiskSpeed
  ): Costs = name match {
    case "lru" => new Replay(trace, new Lru, memoryBytes, maySpill, speed).run()
    case "lrc" =>
      val policy = new LeastReferenceCount(Replay.Names)
      new Replay(trace, policy, memoryBytes, maySpill, speed).run()
    case "cost" =>
      val policy = new CostAware(Replay.Names, speed, (_: TraceBlock) => maySpill)
      new Replay(trace, policy, memoryBytes, maySpill, speed).run()
    case "next-use" =>
      val policy = new NextUse(trace)
      new Replay(trace, policy, memoryBytes, maySpill, speed).run(policy.at)
  }
}
