package org.apache.spark.shuffle.hpc

import java.io.IOException
import java.util.concurrent.{ConcurrentHashMap, TimeUnit, TimeoutException}

import scala.collection.JavaConverters._
import scala.util.control.NonFatal

import com.google.common.cache.{Cache, CacheBuilder}
import org.apache.spark.SparkConf
import org.apache.spark.internal.config.Hpc
import org.apache.spark.network.BlockTransferService
import org.apache.spark.util.ThreadUtils

/** Asks the executor that wrote map outputs, their owner, for them.
  *
  * An owner from which nothing comes until the deadline is given up, and not asked again for a
  * minute: its process may be stopped, or its node dead.
  *
  * @param own this executor's id; it doesn't ask itself
  */
private[hpc] final class NetworkRoute(
    conf: SparkConf,
    network: BlockTransferService,
    own: => String,
    counts: RouteCounts
) extends Route {

  // Asking may have to wait for a connection to a node that is no longer there.
  private val askers =
    ThreadUtils.newDaemonCachedThreadPool("spark-hpc-ask-owner", NetworkRoute.AsksAtOnce)
  private val clock = ThreadUtils.newDaemonSingleThreadScheduledExecutor("spark-hpc-owner-deadline")
  private val deadline = conf.get(Hpc.SHUFFLE_OWNER_DEADLINE)
  private val open = ConcurrentHashMap.newKeySet[OwnersAnswers]()
  private val givenUp: Cache[String, Throwable] =
    CacheBuilder.newBuilder().expireAfterWrite(1, TimeUnit.MINUTES).build()

  override def fetch(request: Route.Request)(otherwise: Throwable => Unit): Unit = {
    val place = request.place
    if (place.executor == own) otherwise(new IOException(s"$place is this executor's own"))
    else {
      Option(givenUp.getIfPresent(place.executor)) match {
        case Some(failure) => otherwise(new IOException(s"$place isn't asked again yet", failure))
        case None => request.on(askers)(ask(request)(otherwise))
      }
    }
  }

  override def stop(): Unit = {
    Seq(askers, clock).foreach(_.shutdown())
    open.asScala.foreach(_.end.completeExceptionally(new IOException("this executor stops")))
  }

  private def ask(request: Route.Request)(otherwise: Throwable => Unit): Unit = {
    import request.{answers, downloads, place}
    val wanted = answers.rest
    val outcome = new OwnersAnswers(wanted, answers, counts)
    val watch = clock.scheduleWithFixedDelay(
      () => if (!outcome.wasHeard()) giveUp(place, outcome),
      deadline,
      deadline,
      TimeUnit.MILLISECONDS
    )
    open.add(outcome)
    outcome.end.whenComplete { (_, failure) =>
      watch.cancel(false)
      open.remove(outcome)
      if (failure != null) otherwise(failure)
    }
    try
      network.fetchBlocks(
        place.host,
        place.port,
        place.executor,
        wanted.toArray,
        outcome,
        downloads
      )
    catch { case NonFatal(failure) => outcome.end.completeExceptionally(failure): Unit }
  }

  private def giveUp(place: OutputPlace, outcome: OwnersAnswers): Unit = {
    val failure = new TimeoutException(
      s"nothing came from executor ${place.executor} on ${place.host} for $deadline ms " +
        s"(${Hpc.SHUFFLE_OWNER_DEADLINE.key})"
    )
    givenUp.put(place.executor, failure)
    outcome.end.completeExceptionally(failure): Unit
  }
}

private[hpc] object NetworkRoute {
  private val AsksAtOnce = 64
}
