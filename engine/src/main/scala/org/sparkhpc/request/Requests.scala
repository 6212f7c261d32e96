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
  }

  private val watchers = new ThreadLocal[Watcher]

  /** The watcher of the calling thread; null if there is none. */
  def watcher: Watcher = watchers.get

  /** Watches the calling thread, until it is called again or [[unwatch]] is. */
  def watch(watcher: Watcher): Unit = watchers.set(watcher)

  def unwatch(): Unit = watchers.remove()

  /** Runs `work` for a thread that has this watcher, or null. */
  def on[A](watcher: Watcher)(work: => A): A = {
    val before = watchers.get
    watchers.set(watcher)
    try work
    finally watchers.set(before)
  }

  /** A request of the calling thread has ended. */
  def made(kind: RequestKind, nanos: Long): Unit = {
    val watcher = watchers.get
    if (watcher != null) watcher.made(kind, nanos)
  }

  /** Makes a request, and measures it if the calling thread is watched. */
  def make[A](kind: RequestKind)(request: => A): A = {
    val watcher = watchers.get
    if (watcher == null) {
      request
    } else {
      val begun = System.nanoTime()
      try request
      finally watcher.made(kind, System.nanoTime() - begun)
    }
  }
}
