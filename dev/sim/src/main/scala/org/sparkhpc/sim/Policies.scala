package org.sparkhpc.sim

import org.sparkhpc.retain.{LeastReferenceCount, LoopAware, Lru}
import org.sparkhpc.retain.trace.TraceBlock

/** The policies that can be replayed, by name; `next-use` knows the future. */
object Policies {
  val names: Seq[String] = Seq("lru", "lrc", "loop", "next-use")

  def replay(
      name: String,
      trace: Trace,
      memoryBytes: Long,
      maySpill: Boolean,
      disk: Disk
  ): Costs = name match {
    case "lru" => new Replay(trace, new Lru, memoryBytes, maySpill, disk).run()
    case "lrc" =>
      val policy = new LeastReferenceCount(Replay.Names)
      new Replay(trace, policy, memoryBytes, maySpill, disk).run()
    case "loop" =>
      val policy = new LoopAware(Replay.Names, disk.speed, (_: TraceBlock) => maySpill)
      new Replay(trace, policy, memoryBytes, maySpill, disk).run()
    case "next-use" =>
      val policy = new NextUse(trace)
      new Replay(trace, policy, memoryBytes, maySpill, disk).run(policy.at)
  }
}
