package org.apache.spark.network.shuffle

import java.util.concurrent.atomic.LongAdder

import io.netty.buffer.ByteBuf
import io.netty.channel.{Channel, ChannelHandlerContext, ChannelInboundHandlerAdapter}

/** Counts the bytes that a connection receives.
  *
  * Spark reports a block only when all of it has come. Over a slow link, a block of many megabytes may take longer than
  * the timeout after which a node counts as dead; received bytes show that it isn't. The class is in this package
  * because a BlockStoreClient's connections are accessible only here.
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

  /** The counter of the connection to an address. Opens the connection if there is none, which may take long or fail.
    * If there are several connections to the address, it counts one of them. None if this service has no connections.
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
