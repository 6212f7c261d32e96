package org.apache.spark.hpc.profile

/** Marks threads that compute a cached block again. The [[TaskSampler]] sees the marks of tasks' threads. */
private[spark] object Recomputation {

  /** The mark of a thread: only this thread changes it, and a sampler reads it. */
  private[profile] final class Mark {
    @volatile var isSet: Boolean = false
  }

  private val marks = ThreadLocal.withInitial[Mark](() => new Mark)

  private[profile] def mark: Mark = marks.get

  /** Values that `compute` makes for a block that was computed before; they may be computed while they are consumed. */
  def values[T](compute: () => Iterator[T]): Iterator[T] = {
    val thread = Thread.currentThread
    val ours = mark
    // Mostly, the thread that began consumes all values, and need not be looked up for each.
    def here: Mark = if (Thread.currentThread eq thread) ours else mark
    val computed = marked(ours)(compute())
    new Iterator[T] {
      override def hasNext: Boolean = marked(here)(computed.hasNext)
      override def next(): T = marked(here)(computed.next())
    }
  }

  private def marked[A](mark: Mark)(body: => A): A = {
    val before = mark.isSet
    mark.isSet = true
    try body
    finally mark.isSet = before
  }
}
