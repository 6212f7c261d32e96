package org.apache.spark.shuffle.hpc.write

import java.io.{File, FileInputStream}

import org.apache.spark.shuffle.api.SingleSpillShuffleMapOutputWriter
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.OwnContainers

/** Publishes an output that was sorted in one run. The output is in its container already, or in a spill that is copied
  * to it.
  */
private[hpc] final class ContainerFileWriter(
    own: OwnContainers,
    shuffle: Int,
    mapTaskId: Long,
    counts: RouteCounts
) extends SingleSpillShuffleMapOutputWriter {

  override def transferMapSpillFile(
      file: File,
      lengths: Array[Long],
      checksums: Array[Long]
  ): Unit =
    own.sorted(shuffle, mapTaskId).getOrElse(copied(file, lengths)).publish(mapTaskId, lengths)

  private def copied(file: File, lengths: Array[Long]): OwnContainers.Pending = {
    val pending = own.begin(shuffle, lengths.length)
    val in = new FileInputStream(file)
    try pending.output.writeBlocks(in, lengths)
    finally in.close()
    counts.copiedOutputs.inc()
    pending
  }
}
