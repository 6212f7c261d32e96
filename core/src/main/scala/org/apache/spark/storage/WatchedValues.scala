package org.apache.spark.storage

/** The values that a block is made of, as their RDD computes them; knows whether a failure came
  * from there, and what the first value was.
  */
private[storage] final class WatchedValues[T](compute: () => Iterator[T]) {
  private var thrown: Throwable = _
  private var head: Option[T] = None

  /** Computes them, once for each call. */
  def iterator(): Iterator[T] = {
    val values = watch(compute())
    new Iterator[T] {
      private var first = true

      override def hasNext: Boolean = watch(values.hasNext)

      override def next(): T = {
        val value = watch(values.next())
        if (first) {
          head = Some(value)
          first = false
        }
        value
      }
    }
  }

  /** The first value, for as long as the block is being put. */
  def sample: Option[T] = head

  def dropSample(): Unit = head = None

  /** Whether computing the values failed; then putting them again would fail as well. */
  def failed: Boolean = thrown != null

  private def watch[A](step: => A): A =
    try step
    catch {
      case failure: Throwable =>
        thrown = failure
        throw failure
    }
}
