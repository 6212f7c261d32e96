package org.apache.spark.shuffle.hpc

import org.apache.spark.SparkConf
import org.apache.spark.internal.Logging
import org.apache.spark.internal.config.Hpc
import org.apache.spark.network.BlockTransferService
import org.apache.spark.network.shuffle.{BlockFetchingListener, DownloadFileManager}

/** One route after the other: what `first` can't get is got by `second`, and each block is answered
  * for once.
  */
private[hpc] final class Routes(first: Route, second: Route, counts: RouteCounts) extends Logging {

  def fetch(
      place: OutputPlace,
      blockIds: Seq[String],
      listener: BlockFetchingListener,
      downloads: DownloadFileManager
  ): Unit = {
    val answers = new AnsweredOnce(blockIds, listener)
    val request = new Route.Request(place, answers, downloads)
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

private[hpc] object Routes {

  /** In the order that the settings want.
    *
    * @param own this executor's id
    */
  def apply(
      conf: SparkConf,
      network: BlockTransferService,
      files: => OutputFiles,
      own: => String,
      counts: RouteCounts
  ): Routes = {
    val direct = new DirectRoute(conf, files, counts)
    val asking = new NetworkRoute(conf, network, own, counts)
    if (conf.get(Hpc.SHUFFLE_ROUTE) == "direct") new Routes(direct, asking, counts)
    else new Routes(asking, direct, counts)
  }
}
