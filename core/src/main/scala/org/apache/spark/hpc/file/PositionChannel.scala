package org.apache.spark.hpc.file

import java.nio.channels.FileChannel

/** The position of a [[PooledInputStream]], as the channel through which Spark sets it. */
private[file] final class PositionChannel(stream: PooledInputStream) extends RefusingChannel {

  override def position(): Long = stream.position

  override def position(to: Long): FileChannel = {
    stream.position = to
    this
  }

  override protected def implCloseChannel(): Unit = stream.close()
}
