package org.sparkhpc.retain.trace

import org.sparkhpc.retain.DiskSpeed

/** An estimate that records the measurements that it is told of. */
final class TracedSpeed(trace: TraceRecorder) extends DiskSpeed {
  import TraceEvent._

  override def wrote(bytes: Long, nanos: Long, rdd: Int): Unit = {
    trace.record(Wrote(rdd, bytes, nanos))
    super.wrote(bytes, nanos, rdd)
  }

  override def read(bytes: Long, nanos: Long, rdd: Int): Unit = {
    trace.record(Read(rdd, bytes, nanos))
    super.read(bytes, nanos, rdd)
  }

  override def sampled(rdd: Int, bytes: Long, nanosToWrite: Long, nanosToRead: Long): Unit = {
    trace.record(Sampled(rdd, bytes, nanosToWrite, nanosToRead))
    super.sampled(rdd, bytes, nanosToWrite, nanosToRead)
  }
}
