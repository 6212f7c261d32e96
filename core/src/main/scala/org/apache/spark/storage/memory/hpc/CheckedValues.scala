package org.apache.spark.storage.memory.hpc

import org.apache.spark.memory.MemoryMode
import org.apache.spark.storage.memory.{MemoryStore, PartiallyUnrolledIterator}

/** The values of a block that did not fit in memory, as they are serialized. Iteration fails at the first value of
  * which the serializer would lose a part.
  */
private[memory] final class CheckedValues[T](
    store: MemoryStore,
    mode: MemoryMode,
    values: PartiallyUnrolledIterator[T],
    check: Iterator[T] => Iterator[T]
) extends PartiallyUnrolledIterator[T](store, mode, 0L, Iterator.empty, Iterator.empty) {
  private val checked = check(values)

  override def hasNext: Boolean = checked.hasNext
  override def next(): T = checked.next()
  override def close(): Unit = values.close()
}
