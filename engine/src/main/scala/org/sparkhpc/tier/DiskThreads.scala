package org.sparkhpc.tier

import java.util.concurrent.{
  CompletableFuture,
  ExecutionException,
  LinkedBlockingQueue,
  RejectedExecutionException,
  ThreadPoolExecutor,
  TimeoutException
}
import java.util.concurrent.TimeUnit.{MILLISECONDS, SECONDS}
import java.util.concurrent.atomic.{AtomicBoolean, AtomicInteger}

import org.sparkhpc.request.Requests

/** Makes requests to a disk in threads of its own, so that no other thread hangs with the disk.
  *
  *  1. The caller waits until its request has ended, or until the disk is known to hang.
  *  1. A bounded number of threads can hang. While they do, only deletions are queued.
  *  1. A request makes no other request: it would wait for its own thread.
  *
  * @param requests tracks the requests
  * @param most the maximum number of threads
  */
final class DiskThreads(requests: DiskRequests, most: Int) {
  import DiskThreads._

  private val threads = {
    val count = new AtomicInteger
    val pool = new ThreadPoolExecutor(
      most,
      most,
      60,
      SECONDS,
      new LinkedBlockingQueue[Runnable],
      (work: Runnable) => {
        val thread = new Thread(work, s"spark-hpc-disk-${count.incrementAndGet()}")
        thread.setDaemon(true)
        thread
      }
    )
    pool.allowCoreThreadTimeOut(true)
    pool
  }

  /** Makes a request and returns its answer, or throws its exception. None if the disk hangs, before or during
    * the request; the request then ends unobserved or never begins. None as well if this thread is interrupted;
    * its interrupt status is kept.
    */
  def ask[A](request: => A): Option[A] =
    if (requests.isStalled || Thread.currentThread.isInterrupted) {
      None
    } else {
      val mayBegin = new AtomicBoolean(true)
      try run(if (mayBegin.getAndSet(false)) request else throw new GivenUp).flatMap(await(_))
      finally mayBegin.set(false)
    }

  /** Makes a request that must be made sooner or later. Waits for its answer no longer than [[ask]] does. */
  def later[A](request: => A): Option[A] = {
    val isStalled = requests.isStalled
    run(request).filter(_ => !isStalled).flatMap(await(_))
  }

  /** Waits until the disk answers again; false if this thread was interrupted first. */
  def awaitAnswer(): Boolean =
    try {
      while (requests.isStalled) Thread.sleep(LookMillis)
      true
    } catch {
      case _: InterruptedException =>
        Thread.currentThread.interrupt()
        false
    }

  /** Drops the requests that haven't begun. No thread is interrupted: that would look like a task's own
    * interrupt.
    */
  def stop(): Unit = {
    threads.shutdown()
    threads.getQueue.clear()
  }

  def isStopped: Boolean = threads.isShutdown

  private def run[A](request: => A): Option[CompletableFuture[A]] = {
    val answer = new CompletableFuture[A]
    val watcher = Requests.watcher
    def complete(): Unit =
      try answer.complete(requests.during(Requests.on(watcher)(request))): Unit
      catch { case failure: Throwable => answer.completeExceptionally(failure): Unit }
    try {
      threads.execute(() => complete())
      Some(answer)
    } catch { case _: RejectedExecutionException => None }
  }

  private def await[A](answer: CompletableFuture[A]): Option[A] = {
    var result: Option[A] = None
    var isOver = false
    while (!isOver)
      try {
        result = Some(answer.get(LookMillis, MILLISECONDS))
        isOver = true
      } catch {
        case _: TimeoutException => isOver = requests.isStalled || isStopped
        case _: InterruptedException =>
          Thread.currentThread.interrupt()
          isOver = true
        case failure: ExecutionException => throw failure.getCause
      }
    result
  }
}

object DiskThreads {

  /** How many threads may write, and so hang, at once. */
  def most: Int = math.max(16, Runtime.getRuntime.availableProcessors)

  private val LookMillis = 100L

  private final class GivenUp extends RuntimeException
}
