package org.apache.spark.storage.memory.hpc

/** An iterator whose values are checked once `begin` was called. */
private[memory] final class LateCheck[T](values: Iterator[T]) extends Iterator[T] {
  private var rest = values

  def begin(check: Iterator[T] => Iterator[T]): Unit = rest = check(values)

  override def hasNext: Boolean = rest.hasNext
  override def next(): T = rest.next()
}
