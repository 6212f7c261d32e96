package org.sparkhpc.retain.trace

private[trace] object TraceFormat {

  /** "hpt3" */
  val Magic = 0x68707433

  val BufferBytes = 65536

  val RequestedCode = 1
  val ComputedCode = 2
  val StoredCode = 3
  val ForgottenCode = 4
  val ReferencedCode = 5
  val EvictedCode = 6
  val WrittenCode = 7
  val ReadBackCode = 8
  val ReleasedCode = 9
  val MemoryCode = 10
  val NeededCode = 11
  val WroteCode = 12
  val ReadCode = 13
  val SampledCode = 14

  /** The events that are a block and nothing else, by code. */
  val OfOneBlock: Map[Int, TraceBlock => TraceEvent] = Map(
    EvictedCode -> (TraceEvent.Evicted(_)),
    WrittenCode -> (TraceEvent.Written(_)),
    ReadBackCode -> (TraceEvent.ReadBack(_)),
    ReleasedCode -> (TraceEvent.Released(_))
  )
}
