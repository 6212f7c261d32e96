package org.apache.spark.hpc.profile

import java.util.concurrent.ThreadLocalRandom
import java.util.concurrent.atomic.AtomicInteger

import org.sparkhpc.request.RequestKind

/** The requests for map outputs that a task has begun and that have no answer yet. Thread-safe. */
private[profile] final class Unanswered {
  private val direct, network = new AtomicInteger

  def began(kind: RequestKind): Unit = counter(kind).foreach(_.incrementAndGet())

  def ended(kind: RequestKind): Unit = counter(kind).foreach(_.decrementAndGet())

  /** What a thread does that waits for map outputs: [[Activity.Direct]] or [[Activity.Network]]. If it has requests of
    * both kinds, the answer is random, so that many such waits are divided as their requests are. None without a request.
    */
  def activity: Option[String] = {
    val (files, executors) = (direct.get, network.get)
    if (files + executors <= 0) None
    else if (ThreadLocalRandom.current.nextInt(files + executors) < files) Some(Activity.Direct)
    else Some(Activity.Network)
  }

  private def counter(kind: RequestKind): Option[AtomicInteger] = kind match {
    case RequestKind.Direct => Some(direct)
    case RequestKind.Network => Some(network)
    case _ => None
  }
}
