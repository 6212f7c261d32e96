package org.apache.spark.shuffle.hpc

import org.apache.spark.SparkConf
import org.apache.spark.internal.Logging
import org.apache.spark.internal.config.Hpc
import org.apache.spark.network.BlockTransferService
import org.apache.spark.network.shuffle.{BlockFetchingListener, DownloadFileManager}

/** One route after the other: what the first can't get is got by the second, and each block is
  * answered for once.
  *
  * @param own this executor's id: it doesn't ask itself
  */
private[hpc] final class Routes(
    conf: SparkConf,
    network: BlockTransferService,
    files: ContainerFiles,
    own: => String,
    counts: RouteCounts
) extends Logging {

  private val direct = new DirectRoute(conf, files, counts)
  private val asking = new NetworkRoute(conf, network, counts)
  private val (first, second) =
    if (conf.get(Hpc.SHUFFLE_ROUTE) == "direct") (direct, asking) else (asking, direct)

  def fetch(
      place: OutputPlace,
      blockIds: Seq[String],
      listener: BlockFetchingListener,
      downloads: DownloadFileManager
  ): Unit = {
    val answers = new AnsweredOnce(blockIds, listener)
    val request = new Route.Request(place, answers, downloads)
    if (place.executor == own) direct.fetch(request)(answers.failRest(_))
    else
      first.fetch(request) { failure =>
        counts.fallbacks.inc()
        logWarning(s"Some blocks of ${blockIds.size} of $place are got another way: $failure")
        second.fetch(request) { another =>
          failure.addSuppressed(another)
          answers.failRest(failure)
        }
      }
  }

  def stop(): Unit = Seq(first, second).foreach(_.stop())
}
