package org.sparkhpc.retain.trace

/** Receives the events of a trace. `record` doesn't wait for a file system. */
trait TraceRecorder {
  def record(event: TraceEvent): Unit

  /** Ends the trace. Returns when it can be read. */
  def end(): Unit
}
