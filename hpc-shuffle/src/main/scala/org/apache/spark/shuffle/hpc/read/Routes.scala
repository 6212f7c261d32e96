package org.apache.spark.shuffle.hpc.read

import java.util.concurrent.TimeoutException

import scala.util.Try

import org.apache.spark.SparkConf
import org.apache.spark.internal.Logging
import org.apache.spark.internal.config.Hpc
import org.apache.spark.network.BlockTransferService
import org.apache.spark.network.shuffle.{BlockFetchingListener, DownloadFileManager}
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.{OutputDirectory, OutputPlace}
import org.apache.spark.storage.BlockId

/** Fetches blocks by one route, and those that it can't get by the other route. Each block is answered for once.
  *
  * @param sizes the sizes of blocks
  * @param own this executor's id; it doesn't ask itself
  * @param only the route to take instead of the one in the settings
  */
private[hpc] final class Routes(
    conf: SparkConf,
    network: BlockTransferService,
    directory: => OutputDirectory,
    files: ContainerFiles,
    sizes: OutputSizes,
    own: => String,
    counts: RouteCounts,
    held: HeldBytes,
    only: Option[String] = None
) extends Logging {

  private val direct = new DirectRoute(conf, directory, files, counts, held)
  private val asking = new NetworkRoute(conf, network, counts)
  private val route = only.getOrElse(conf.get(Hpc.SHUFFLE_ROUTE))
  private val choice = new RouteChoice(counts.switches)

  def fetch(
      place: OutputPlace,
      blockIds: Seq[String],
      listener: BlockFetchingListener,
      downloads: DownloadFileManager
  ): Unit = {
    val work = if (route == "auto" && place.executor != own) workOf(place, blockIds) else None
    val isDirect = work.fold(route != "network")(choice.isDirect(place.executor, _))
    val begun = System.nanoTime()
    @volatile var isFirst = true
    def over(): Unit = if (isFirst) work.foreach { work =>
      val nanos = System.nanoTime() - begun
      if (isDirect) choice.tookDirect(work, nanos)
      else choice.tookNetwork(place.executor, work, nanos)
    }
    val answers = new AnsweredOnce(blockIds, listener, () => over())
    val request = new Route.Request(place, answers, downloads)
    def fail(failure: Throwable, another: Throwable): Unit = {
      // While the executor stops, both routes may fail with the same exception.
      if (another ne failure) failure.addSuppressed(another)
      answers.failRest(failure)
    }
    def fallBack(failure: Throwable): Unit = {
      isFirst = false
      counts.fallbacks.inc()
      logWarning(s"Some of ${blockIds.size} blocks of $place take the other route: $failure")
    }
    if (place.executor == own) direct.fetch(request)(answers.failRest(_))
    else if (isDirect)
      direct.fetchInTime(request) { failure =>
        fallBack(failure)
        asking.fetch(request) { another =>
          failure match {
            // A file system that hangs may recover, and no other route is left.
            case _: TimeoutException => direct.fetch(request)(fail(_, another))
            case _ => fail(failure, another)
          }
        }
      }
    else
      asking.fetch(request) { failure =>
        fallBack(failure)
        direct.fetch(request)(fail(failure, _))
      }
  }

  /** Fetches blocks that other executors have, too. It has a timeout, so that nobody needs to wait for an executor that
    * doesn't answer.
    */
  def fetchCopy(
      from: NetworkRoute.Owner,
      blockIds: Seq[String],
      listener: BlockFetchingListener,
      downloads: DownloadFileManager
  ): Unit = {
    val answers = new AnsweredOnce(blockIds, listener)
    asking.fetchCopy(from, answers, downloads)(answers.failRest(_))
  }

  /** The work of a request. None if it isn't known, or if the owner isn't asked for now: then files are read. */
  private def workOf(place: OutputPlace, blockIds: Seq[String]): Option[RouteChoice.Work] =
    if (asking.isGivenUp(place.executor)) None
    else
      Try {
        val blocks = blockIds.map(id => DirectRoute.block(BlockId(id))._2)
        val container = directory.container(place)
        val isOpen = files.isOpen(container)
        val reads = files.reads(container, blocks)
        sizes.of(place.shuffle, blocks).map(RouteChoice.Work(blocks.size, reads, _, isOpen))
      }.toOption.flatten

  def stop(): Unit = Seq(direct, asking).foreach(_.stop())
}
