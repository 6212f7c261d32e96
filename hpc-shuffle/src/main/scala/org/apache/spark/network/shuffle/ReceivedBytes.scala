package org.apache.spark.network.shuffle

import java.util.concurrent.atomic.LongAdder

import io.netty.buffer.ByteBuf
import io.netty.channel.{Channel, ChannelHandlerContext, ChannelInboundHandlerAdapter}

/** Counts the bytes that come over a connection.
  *
  * Spark says of a block only that it is there; one of many megabytes may take a slow link longer than a
  * dead node is waited for. In this package since the connections of a BlockStoreClient are open to it only.
  */
private[spark] final class ReceivedBytes private extends ChannelInboundHandlerAdapter {
  private val bytes = new LongAdder

  def count: Long = bytes.sum()

  override def channelRead(context: ChannelHandlerContext, message: Object): Unit = {
    message match {
      case received: ByteBuf => bytes.add(received.readableBytes.toLong)
      case _ =>
    }
    context.fireChannelRead(message): Unit
  }
}

private[spark] object ReceivedBytes {
  private val Name = "hpc-received-bytes"

  /** Of the connection to an address, which is made if there is none: that may take long, and fail. With
    * several connections to each address it is one of them. None if this service has no connections.
    */
  def from(network: BlockStoreClient, host: String, port: Int): Option[ReceivedBytes] =
    Option(network.clientFactory).map { connections =>
      of(connections.createClient(host, port, /* fastFail = */ true).getChannel)
    }

  private def of(channel: Channel): ReceivedBytes = channel.synchronized {
    Option(channel.pipeline.get(classOf[ReceivedBytes])).getOrElse {
      val counter = new ReceivedBytes
      channel.pipeline.addFirst(Name, counter)
      counter
    }
  }
}
