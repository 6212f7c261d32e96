package org.apache.spark.shuffle.hpc

import java.util.concurrent.ConcurrentLinkedQueue

import scala.collection.JavaConverters._
import scala.concurrent.Future
import scala.reflect.ClassTag

import org.apache.spark.network.{BlockDataManager, BlockTransferService}
import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.shuffle.{BlockFetchingListener, DownloadFileManager}
import org.apache.spark.storage.{BlockId, StorageLevel}

/** A network on which fetching does what a test says. */
private[hpc] final class StubTransferService(fetch: StubTransferService.Fetch)
    extends BlockTransferService {

  private val requests = new ConcurrentLinkedQueue[(String, Int, String)]

  /** Hosts, ports and executors that were asked. */
  def asked: Seq[(String, Int, String)] = requests.asScala.toSeq

  override def fetchBlocks(
      host: String,
      port: Int,
      executorId: String,
      blockIds: Array[String],
      listener: BlockFetchingListener,
      files: DownloadFileManager
  ): Unit = {
    requests.add((host, port, executorId))
    fetch(blockIds.toSeq, listener)
  }

  override def init(blocks: BlockDataManager): Unit = ()

  override def port: Int = 7078

  override def hostName: String = "localhost"

  override def uploadBlock(
      host: String,
      port: Int,
      executorId: String,
      blockId: BlockId,
      data: ManagedBuffer,
      level: StorageLevel,
      classTag: ClassTag[_]
  ): Future[Unit] = Future.successful(())

  override def close(): Unit = ()
}

private[hpc] object StubTransferService {
  type Fetch = (Seq[String], BlockFetchingListener) => Unit
}
