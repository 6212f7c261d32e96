package org.apache.spark.shuffle.hpc

import java.io.{File, FileInputStream}

import com.google.common.io.ByteStreams
import org.apache.commons.io.IOUtils
import org.apache.spark.shuffle.api.SingleSpillShuffleMapOutputWriter

/** Publishes an output that was sorted in one run: it is in its container, or in a spill that is
  * copied there.
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
    try
      for (length <- lengths) {
        IOUtils.copyLarge(ByteStreams.limit(in, length), pending.output)
        pending.output.endBlock()
      }
    finally in.close()
    counts.copiedOutputs.inc()
    pending
  }
}
