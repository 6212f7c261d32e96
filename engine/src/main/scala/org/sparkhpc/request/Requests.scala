package org.sparkhpc.request

/** Tells those who watch a thread of the requests that are made for it.
  *
  * A thread that makes requests for another thread takes over its watcher: [[watcher]] there, [[on]] here.
  */
object Requests {

  /** Gets the requests of the threads that it watches. Thread-safe. */
  trait Watcher {

    /** A request has ended, successfully or not. */
    def made(kind: RequestKind, nanos: Long): Unit

    /** A request has begun that another thread ends; the watched thread may wait for it. */
    def began(kind: RequestKind): Unit

    /** A request that `began` was called for has ended, successfully or not. */
    def ended(kind: RequestKind, nanos: Long): Unit = made(kind, nanos)
  }

  /** A request that begins now and is ended once, by any thread. */
  final class Begun private[Requests] (kind: RequestKind, watcher: Watcher) {
    private val begun = System.nanoTime()
    if (watcher != null) watcher.began(kind)

    /** Ends the request, and returns how many nanoseconds it took. */
    def end(): Long = {
      val nanos = System.nanoTime() - begun
      if (watcher != null) watcher.ended(kind, nanos)
      nanos
    }
  }

  private val watchers = new ThreadLocal[Watcher]
  @volatile private var others: Watcher = _

  /** The watcher of the calling thread; null if there is none. */
  def watcher: Watcher = {
    val its = watchers.get
    if (its == null) others else its
  }

  /** Watches the calling thread, until it is called again or [[unwatch]] is. */
  def watch(watcher: Watcher): Unit = watchers.set(watcher)

  def unwatch(): Unit = watchers.remove()

  /** Watches all threads that have no watcher of their own, instead of whoever did; null for nobody. */
  def watchOthers(watcher: Watcher): Unit = others = watcher

  /** Begins a request of the calling thread that another thread ends. */
  def begin(kind: RequestKind): Begun = new Begun(kind, watcher)

  /** Runs `work` for a thread that has this watcher, or null. */
  def on[A](watcher: Watcher)(work: => A): A = {
    val before = watchers.get
    watchers.set(watcher)
    try work
    finally watchers.set(before)
  }

  /** A request of the calling thread has ended. */
  def made(kind: RequestKind, nanos: Long): Unit = {
    val its = watcher
    if (its != null) its.made(kind, nanos)
  }

  /** Makes a request, and measures it if the calling thread is watched. */
  def make[A](kind: RequestKind)(request: => A): A = {
    val its = watcher
    if (its == null) {
      request
    } else {
      val begun = System.nanoTime()
      try request
      finally its.made(kind, System.nanoTime() - begun)
    }
  }
}
