package org.apache.spark.shuffle.hpc.read

import java.io.{IOException, OutputStream}
import java.nio.ByteBuffer
import java.nio.channels.Channels
import java.util.concurrent.{RejectedExecutionException, TimeUnit}

import scala.collection.mutable.ArrayBuffer
import scala.util.{Failure, Success, Try}

import com.google.common.io.ByteStreams

import org.apache.spark.SparkConf
import org.apache.spark.internal.config.EXECUTOR_CORES
import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.netty.SparkTransportConf
import org.apache.spark.network.shuffle.DownloadFileManager
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.{ContainerFile, OutputDirectory}
import org.apache.spark.storage.{BlockId, ShuffleBlockBatchId, ShuffleBlockId}
import org.apache.spark.util.ThreadUtils
import org.sparkhpc.container.Block
import org.sparkhpc.request.{RequestKind, Requests}

/** Reads map outputs from the shared file system.
  *
  * Blocks are kept in the heap until their task consumes them, if [[HeldBytes]] has room. Other blocks are only
  * verified, and are read again when their task consumes them.
  */
private[hpc] final class DirectRoute(
    conf: SparkConf,
    directory: => OutputDirectory,
    files: ContainerFiles,
    counts: RouteCounts,
    held: HeldBytes
) extends Route {

  private val isReadAsItIs = FetchedStream.isNeeded(conf)

  private val readers =
    ThreadUtils.newDaemonFixedThreadPool(DirectRoute.readsAtOnce(conf), "spark-hpc-direct-read")
  private val patience = new DirectPatience(conf)
  private val transport = SparkTransportConf.fromSparkConf(conf, "shuffle")

  /** Fetches without a timeout. */
  override def fetch(request: Route.Request)(otherwise: Throwable => Unit): Unit =
    begin(request, new DirectPatience.Wait(otherwise))

  /** Like [[fetch]], but it ends with a TimeoutException if the file system seems to hang. Blocks that are read after
    * that are used unless another route was faster.
    */
  def fetchInTime(request: Route.Request)(otherwise: Throwable => Unit): Unit =
    patience.watch(request.place, otherwise).foreach(begin(request, _))

  private def begin(request: Route.Request, wait: DirectPatience.Wait): Unit = {
    val watcher = Requests.watcher
    val begun = Requests.begin(RequestKind.Direct)
    def read(): Option[Throwable] =
      try Requests.on(watcher)(failures(request, wait).headOption)
      finally counts.directRequests.update(begun.end(), TimeUnit.NANOSECONDS)
    try
      readers.execute { () =>
        if (!wait.begin()) begun.end(): Unit
        else
          try wait.end(read())
          catch {
            // For example an OutOfMemoryError. Whoever waits for the blocks must learn of it, too.
            case failure: Throwable =>
              wait.end(None)
              request.answers.failRest(failure)
              throw failure
          }
      }
    catch {
      case stopped: RejectedExecutionException =>
        begun.end()
        wait.end(Some(stopped))
    }
  }

  override def stop(): Unit = {
    readers.shutdown()
    patience.stop()
  }

  /** Reads blocks and answers for them. Returns the failures of the blocks that can't be read. */
  private def failures(request: Route.Request, wait: DirectPatience.Wait): Seq[Throwable] = {
    val failures = new ArrayBuffer[Throwable]
    def answer(blockId: String)(content: Try[ManagedBuffer]): Unit = {
      wait.heard()
      content match {
        case Success(data) =>
          counts.directBlocks.inc()
          counts.directBytes.inc(data.size)
          // A listener that needs the buffer has retained it by now.
          try request.answers.onBlockFetchSuccess(blockId, data)
          finally data.release(): Unit
        case Failure(failure) => failures += failure
      }
    }
    val (known, others) =
      request.answers.rest.map(id => id -> Try(DirectRoute.block(BlockId(id))._2)).partition(
        _._2.isSuccess
      )
    failures ++= others.flatMap(_._2.failed.toOption)
    val ids = known.map { case (id, block) => block.get -> id }.toMap
    if (ids.nonEmpty) {
      val container = directory.container(request.place)
      if (request.downloads == null) {
        val rooms = roomsFor(container, ids.keys.toSeq)
        try
          files.read(container, rooms.keys.toSeq) { (block: Block, content: Try[ByteBuffer]) =>
            answer(ids(block))(content.map(rooms(block).filled))
          }
        finally rooms.values.foreach(_.close())
        for ((block, id) <- ids if !rooms.contains(block))
          answer(id)(Try(checked(container, block, request.place.shuffle, wait)))
      } else {
        for ((block, id) <- ids)
          answer(id)(Try(download(request.downloads) { to =>
            files.reader(container, block).copy(block, wait.hearing(to))
          }))
      }
    }
    failures
  }

  /** Room in the heap for as many of these blocks as possible. A block whose length can't be read needs none. */
  private def roomsFor(container: ContainerFile, blocks: Seq[Block]): Map[Block, HeldBytes.Room] = {
    val reader = Try(files.reader(container, blocks: _*))
    for {
      block <- blocks
      room <- held.room(reader.map(_.length(block)).getOrElse(0L))
    } yield block -> room
  }.toMap

  /** Verifies a block. Its content is read again when its task consumes it. */
  private def checked(
      container: ContainerFile,
      block: Block,
      shuffle: Int,
      wait: DirectPatience.Wait
  ): ManagedBuffer = {
    val reader = files.reader(container, block)
    reader.copy(block, wait.hearing(ByteStreams.nullOutputStream()))
    def stream() = reader.stream(block)
    new ContainerBlockData(
      reader.length(block),
      () => if (isReadAsItIs) new FetchedStream(stream(), shuffle, block) else stream()
    )
  }

  private def download(downloads: DownloadFileManager)(copy: OutputStream => Unit)
      : ManagedBuffer = {
    val file = downloads.createTempFile(transport)
    val to = file.openForWriting()
    try copy(Channels.newOutputStream(to))
    catch {
      case failure: Throwable =>
        to.close()
        file.delete()
        throw failure
    }
    val data = to.closeAndRead()
    // If the file isn't taken, nobody needs it any longer.
    if (!downloads.registerTempFileToClean(file)) file.delete()
    data
  }
}

private[hpc] object DirectRoute {

  /** As many as this process has tasks at a time, and at least four: with few tasks, more than four threads didn't speed
    * up strided reads from busy object servers.
    */
  private[read] def readsAtOnce(conf: SparkConf): Int =
    math.max(
      4,
      conf.getOption(EXECUTOR_CORES.key).fold(Runtime.getRuntime.availableProcessors)(_.toInt)
    )

  /** The shuffle of a block id, and the block in its container. */
  def block(blockId: BlockId): (Int, Block) = blockId match {
    case ShuffleBlockId(shuffle, mapTaskId, part) => (shuffle, Block(mapTaskId, part, part + 1))
    case ShuffleBlockBatchId(shuffle, mapTaskId, start, end) =>
      (shuffle, Block(mapTaskId, start, end))
    case other => throw new IOException(s"$other isn't a block of a map output")
  }
}
