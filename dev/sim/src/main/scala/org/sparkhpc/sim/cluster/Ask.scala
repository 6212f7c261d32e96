package org.sparkhpc.sim.cluster

/** Requests to a file system that a thread makes one after the other.
  *
  * @param metadata the requests of each kind to the metadata server; fractions are averages
  * @param locks requests to object servers for the lock of a file that is written or read for the first time
  * @param reads requests to object servers that read, and their bytes
  * @param written bytes that the client sends in the background
  */
final case class Ask(
    metadata: Seq[(String, Double)] = Nil,
    locks: Double = 0,
    reads: Double = 0,
    readBytes: Double = 0,
    written: Double = 0
) {
  val count: Double = metadata.iterator.map(_._2).sum

  // It is a key of maps.
  override val hashCode: Int = (metadata, locks, reads, readBytes, written).##

  def *(times: Double): Ask = Ask(
    metadata.map { case (kind, number) => kind -> number * times },
    locks * times,
    reads * times,
    readBytes * times,
    written * times
  )

  def ++(other: Ask): Ask = Ask(
    metadata ++ other.metadata,
    locks + other.locks,
    reads + other.reads,
    readBytes + other.readBytes,
    written + other.written
  )
}

object Ask {
  val Nothing: Ask = Ask()

  def of(metadata: (String, Int)*): Ask =
    Ask(metadata.map { case (kind, number) => kind -> number.toDouble })
}
