package org.apache.spark.shuffle.hpc

import java.io.IOException
import java.nio.channels.WritableByteChannel
import java.util.concurrent.RejectedExecutionException

import scala.util.control.NonFatal

import org.apache.spark.SparkConf
import org.apache.spark.network.buffer.{ManagedBuffer, NioManagedBuffer}
import org.apache.spark.network.netty.SparkTransportConf
import org.apache.spark.network.shuffle.DownloadFileManager
import org.apache.spark.storage.{BlockId, ShuffleBlockBatchId, ShuffleBlockId}
import org.apache.spark.util.ThreadUtils

/** Reads map outputs from the shared file system. */
private[hpc] final class DirectRoute(conf: SparkConf, files: => OutputFiles, counts: RouteCounts)
    extends Route {

  private val readers =
    ThreadUtils.newDaemonFixedThreadPool(DirectRoute.ReadsAtOnce, "spark-hpc-direct-read")
  private val transport = SparkTransportConf.fromSparkConf(conf, "shuffle")

  override def fetch(request: Route.Request)(otherwise: Throwable => Unit): Unit =
    try
      readers.execute { () =>
        try request.answers.rest.flatMap(failureOf(request, _)).headOption.foreach(otherwise)
        catch {
          // Such as having no memory: whoever waits has to hear of it as well.
          case failure: Throwable =>
            request.answers.failRest(failure)
            throw failure
        }
      }
    catch { case stopped: RejectedExecutionException => otherwise(stopped) }

  override def stop(): Unit = readers.shutdown()

  /** Reads a block and answers for it, or says why that can't be. */
  private def failureOf(request: Route.Request, blockId: String): Option[Throwable] =
    try {
      val data = read(request, blockId)
      counts.directBlocks.inc()
      counts.directBytes.inc(data.size)
      request.answers.onBlockFetchSuccess(blockId, data)
      None
    } catch { case NonFatal(failure) => Some(failure) }

  private def read(request: Route.Request, blockId: String): ManagedBuffer = {
    val (mapId, start, end) = BlockId(blockId) match {
      case ShuffleBlockId(_, mapId, reduce) => (mapId, reduce, reduce + 1)
      case ShuffleBlockBatchId(_, mapId, start, end) => (mapId, start, end)
      case other => throw new IOException(s"$other isn't a block of a map output")
    }
    if (request.downloads == null) {
      new NioManagedBuffer(files.read(request.place, mapId, start, end))
    } else {
      download(request.downloads)(files.copy(request.place, mapId, start, end, _))
    }
  }

  private def download(downloads: DownloadFileManager)(
      copy: WritableByteChannel => Unit
  ): ManagedBuffer = {
    val file = downloads.createTempFile(transport)
    val to = file.openForWriting()
    try copy(to)
    catch {
      case failure: Throwable =>
        to.close()
        file.delete()
        throw failure
    }
    val data = to.closeAndRead()
    // Then nobody wants it any longer.
    if (!downloads.registerTempFileToClean(file)) file.delete()
    data
  }
}

private[hpc] object DirectRoute {
  // More don't help strided reads once the object servers are busy.
  private val ReadsAtOnce = 4
}
