package org.sparkhpc.retain.trace

/** Where events go. Whoever records waits for no file system. */
trait TraceRecorder {
  def record(event: TraceEvent): Unit

  /** There are no more events; returns when the trace can be read. */
  def end(): Unit
}
