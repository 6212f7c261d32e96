package org.apache.spark.shuffle.hpc

import java.io.IOException
import java.util.concurrent.{TimeUnit, TimeoutException}

import scala.util.control.NonFatal

import org.apache.spark.SparkConf
import org.apache.spark.internal.Logging
import org.apache.spark.internal.config.Hpc
import org.apache.spark.network.BlockTransferService
import org.apache.spark.network.buffer.NioManagedBuffer
import org.apache.spark.network.netty.SparkTransportConf
import org.apache.spark.network.shuffle.{BlockFetchingListener, DownloadFileManager}
import org.apache.spark.storage.{BlockId, ShuffleBlockBatchId, ShuffleBlockId}
import org.apache.spark.util.ThreadUtils

/** The two ways in which a reducer gets map outputs that are on the shared file system.
  *
  * ''Direct'' reads the files here; ''network'' asks the executor that wrote them. One is tried after
  * the other, and each block is answered for once. Neither ever runs in the caller's thread: a file
  * system or a node may be dead.
  *
  * @param own this executor's id
  */
private[hpc] final class Routes(
    conf: SparkConf,
    network: BlockTransferService,
    files: => OutputFiles,
    own: => String
) extends Logging {

  private val readers =
    ThreadUtils.newDaemonFixedThreadPool(Routes.ReadsAtOnce, "spark-hpc-direct-read")
  // Asking may have to wait for a connection to a node that is no longer there.
  private val askers = ThreadUtils.newDaemonCachedThreadPool("spark-hpc-ask-owner", 64)
  private val clock = ThreadUtils.newDaemonSingleThreadScheduledExecutor("spark-hpc-owner-deadline")
  private val transport = SparkTransportConf.fromSparkConf(conf, "shuffle")
  private val deadline = conf.get(Hpc.SHUFFLE_OWNER_DEADLINE)
  private val isDirectFirst = conf.get(Hpc.SHUFFLE_ROUTE) == "direct"

  def fetch(
      place: OutputPlace,
      blockIds: Seq[String],
      listener: BlockFetchingListener,
      downloads: DownloadFileManager
  ): Unit = {
    val answers = new AnsweredOnce(blockIds, listener)
    if (isDirectFirst) {
      direct(place, answers, downloads) { failure =>
        ask(place, answers, downloads)(_ => answers.failRest(failure))
      }
    } else {
      ask(place, answers, downloads)(_ => direct(place, answers, downloads)(answers.failRest(_)))
    }
  }

  def stop(): Unit = Seq(readers, askers, clock).foreach(_.shutdownNow())

  /** Reads what isn't answered for yet; `otherwise` with the first failure, if there was one. */
  private def direct(place: OutputPlace, answers: AnsweredOnce, downloads: DownloadFileManager)(
      otherwise: Throwable => Unit
  ): Unit =
    readers.execute { () =>
      val failures = answers.rest.flatMap { blockId =>
        try {
          val (mapId, start, end) = partitions(blockId)
          if (downloads == null) {
            val bytes = files.read(place, mapId, start, end)
            answers.onBlockFetchSuccess(blockId, new NioManagedBuffer(bytes))
          } else {
            val file = downloads.createTempFile(transport)
            val to = file.openForWriting()
            try files.copy(place, mapId, start, end, to)
            catch {
              case failure: Throwable =>
                to.close()
                file.delete()
                throw failure
            }
            answers.onBlockFetchSuccess(blockId, to.closeAndRead())
            if (!downloads.registerTempFileToClean(file)) file.delete(): Unit
          }
          None
        } catch {
          case NonFatal(failure) => Some(failure)
        }
      }
      failures.headOption.foreach { failure =>
        logWarning(s"${failures.size} blocks of $place can't be read from there: $failure")
        otherwise(failure)
      }
    }

  /** The map task, and the partitions from the first to before the second. */
  private def partitions(blockId: String): (Long, Int, Int) = BlockId(blockId) match {
    case ShuffleBlockId(_, mapId, reduce) => (mapId, reduce, reduce + 1)
    case ShuffleBlockBatchId(_, mapId, start, end) => (mapId, start, end)
    case other => throw new IOException(s"$other isn't a block of a map output")
  }

  /** Asks the owner for what isn't answered for yet; `otherwise` when it fails or is late. */
  private def ask(place: OutputPlace, answers: AnsweredOnce, downloads: DownloadFileManager)(
      otherwise: Throwable => Unit
  ): Unit = {
    val wanted = answers.rest
    val outcome = new OwnersAnswers(wanted, answers)(otherwise)
    if (place.executor == own) {
      outcome.fail(new IOException(s"$place is this executor's own"))
    } else {
      val late = clock.schedule(
        (
            () =>
              outcome.fail(new TimeoutException(
                s"executor ${place.executor} on ${place.host} didn't answer within $deadline ms " +
                  s"(${Hpc.SHUFFLE_OWNER_DEADLINE.key})"
              ))
        ): Runnable,
        deadline,
        TimeUnit.MILLISECONDS
      )
      outcome.onEnd(() => late.cancel(false): Unit)
      askers.execute { () =>
        try
          network.fetchBlocks(
            place.host,
            place.port,
            place.executor,
            wanted.toArray,
            outcome,
            downloads
          )
        catch { case NonFatal(failure) => outcome.fail(failure) }
      }
    }
  }
}

private[hpc] object Routes {
  // More don't help strided reads once the object servers are busy (DESIGN 6).
  val ReadsAtOnce = 4
}
