package org.apache.spark.shuffle.hpc.read

import java.io.IOException
import java.util.concurrent.{ConcurrentHashMap, FutureTask, RejectedExecutionException}
import java.util.concurrent.{TimeUnit, TimeoutException}

import scala.collection.JavaConverters._
import scala.util.control.NonFatal

import com.google.common.cache.{Cache, CacheBuilder}
import org.apache.spark.SparkConf
import org.apache.spark.internal.config.Hpc
import org.apache.spark.network.BlockTransferService
import org.apache.spark.network.shuffle.{DownloadFileManager, ReceivedBytes}
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.util.ThreadUtils
import org.sparkhpc.request.{RequestKind, Requests}

/** Requests map outputs from the executor that wrote them, their owner, and broadcasts from other executors.
  *
  * An owner from which no byte comes within the timeout is given up and not asked again for a minute: its process may
  * be stopped, or its node dead. The timeout counts from when the owner is asked, because a request that waits for a
  * thread says nothing about its owner.
  */
private[hpc] final class NetworkRoute(
    conf: SparkConf,
    network: BlockTransferService,
    counts: RouteCounts
) extends Route {
  import NetworkRoute._

  // A request may wait, until the timeout, for a connection to a node that is gone.
  private val askers =
    ThreadUtils.newDaemonCachedThreadPool("spark-hpc-ask-owner", AsksAtOnce)
  private val clock = ThreadUtils.newDaemonSingleThreadScheduledExecutor("spark-hpc-owner-deadline")
  private val deadline = conf.get(Hpc.SHUFFLE_NETWORK_TIMEOUT)
  private val open = ConcurrentHashMap.newKeySet[OwnersAnswers]()
  private val givenUp: Cache[String, Throwable] =
    CacheBuilder.newBuilder().expireAfterWrite(1, TimeUnit.MINUTES).build()

  override def fetch(request: Route.Request)(otherwise: Throwable => Unit): Unit = {
    import request.place
    val owner = Owner(place.executor, place.host, place.port)
    fetch(owner, request.answers, request.downloads, counts)(otherwise)
  }

  /** Like [[fetch]], for blocks that aren't map outputs and that others have, too. */
  def fetchCopy(owner: Owner, answers: AnsweredOnce, downloads: DownloadFileManager)(
      otherwise: Throwable => Unit
  ): Unit = fetch(owner, answers, downloads, new RouteCounts)(otherwise)

  private def fetch(
      owner: Owner,
      answers: AnsweredOnce,
      downloads: DownloadFileManager,
      counts: RouteCounts
  )(otherwise: Throwable => Unit): Unit =
    refusal(owner) match {
      case Some(failure) => otherwise(failure)
      case None => ask(owner, answers, downloads, counts)(otherwise)
    }

  private def refusal(owner: Owner): Option[IOException] =
    Option(givenUp.getIfPresent(owner.executor))
      .map(new IOException(s"$owner isn't asked again yet", _))

  /** Whether this executor has been given up and isn't asked for now. */
  def isGivenUp(executor: String): Boolean = givenUp.getIfPresent(executor) != null

  override def stop(): Unit = {
    Seq(askers, clock).foreach(_.shutdown())
    open.asScala.foreach(_.end.completeExceptionally(new IOException("this executor is stopping")))
  }

  private def ask(
      owner: Owner,
      answers: AnsweredOnce,
      downloads: DownloadFileManager,
      counts: RouteCounts
  )(otherwise: Throwable => Unit): Unit = {
    val outcome = new OwnersAnswers(answers.rest, answers, counts)
    // Must come first, so that `stop` finds it.
    open.add(outcome)
    val begun = Requests.begin(RequestKind.Network)
    outcome.end.whenComplete { (_, failure) =>
      open.remove(outcome)
      counts.networkRequests.update(begun.end(), TimeUnit.NANOSECONDS)
      if (failure != null) otherwise(failure)
    }
    lazy val asking: FutureTask[Unit] =
      new FutureTask(() => inTurn(owner, outcome, downloads, () => asking.cancel(true)))
    try askers.execute(asking)
    catch {
      case stopped: RejectedExecutionException => outcome.end.completeExceptionally(stopped): Unit
    }
  }

  /** Sends the request, unless the owner was given up or the request ended while it waited for a thread. */
  private def inTurn(
      owner: Owner,
      outcome: OwnersAnswers,
      downloads: DownloadFileManager,
      stopAsking: () => Unit
  ): Unit =
    try
      if (!outcome.end.isDone) {
        refusal(owner) match {
          case Some(failure) => outcome.end.completeExceptionally(failure): Unit
          case None => send(owner, outcome, downloads, stopAsking)
        }
      }
    catch {
      case _: InterruptedException => // it was given up
      case NonFatal(failure) => outcome.end.completeExceptionally(failure): Unit
    }

  private def send(
      owner: Owner,
      outcome: OwnersAnswers,
      downloads: DownloadFileManager,
      stopAsking: () => Unit
  ): Unit = {
    val watch = clock.scheduleWithFixedDelay(
      () => if (!outcome.wasHeard()) giveUp(owner, outcome, stopAsking),
      deadline,
      deadline,
      TimeUnit.MILLISECONDS
    )
    outcome.end.whenComplete((_, _) => watch.cancel(false): Unit)
    // If there is no connection, the service reports that, and retries as configured.
    try ReceivedBytes.from(network, owner.host, owner.port).foreach(its => outcome.hear(its.count))
    catch { case _: IOException => }
    if (!outcome.end.isDone)
      network.fetchBlocks(
        owner.host,
        owner.port,
        owner.executor,
        outcome.wanted.toArray,
        outcome,
        downloads
      )
  }

  private def giveUp(owner: Owner, outcome: OwnersAnswers, stopAsking: () => Unit): Unit = {
    val failure = new TimeoutException(
      s"nothing came from $owner for $deadline ms " +
        s"(${Hpc.SHUFFLE_NETWORK_TIMEOUT.key})"
    )
    // Set before the request's waiter continues. It is undone if all blocks have come just now.
    givenUp.put(owner.executor, failure)
    if (outcome.end.completeExceptionally(failure)) stopAsking()
    else givenUp.asMap().remove(owner.executor, failure): Unit
  }
}

private[hpc] object NetworkRoute {
  private val AsksAtOnce = 64

  /** An executor, and the address of its block transfer service. */
  final case class Owner(executor: String, host: String, port: Int) {
    override def toString: String = s"executor $executor on $host"
  }
}
