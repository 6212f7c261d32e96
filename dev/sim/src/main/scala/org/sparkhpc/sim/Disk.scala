package org.sparkhpc.sim

import org.sparkhpc.retain.DiskSpeed
import org.sparkhpc.retain.trace.TraceEvent
import org.sparkhpc.retain.trace.TraceEvent._

/** What a replay's policy knows of the disk: a given speed, or what the run measured.
  *
  * @param nanosPerByte None for the run's
  */
final case class Disk(
    nanosPerByte: Option[Double],
    nanosPerBlock: Double = DiskSpeed.NanosPerBlock
) {

  val speed: DiskSpeed =
    new DiskSpeed(nanosPerByte.getOrElse(DiskSpeed.NanosPerByte), nanosPerBlock)

  def replay(event: TraceEvent): Unit = if (nanosPerByte.isEmpty) event match {
    case Wrote(rdd, bytes, nanos) => speed.wrote(bytes, nanos, rdd)
    case Read(rdd, bytes, nanos) => speed.read(bytes, nanos, rdd)
    case Sampled(rdd, bytes, toWrite, toRead) => speed.sampled(rdd, bytes, toWrite, toRead)
    case Forgotten(rdd) => speed.forget(rdd)
    case _ => // not of the disk
  }
}
