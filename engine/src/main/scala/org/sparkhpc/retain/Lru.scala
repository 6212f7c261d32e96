package org.sparkhpc.retain

import java.util.LinkedHashMap

/** Evicts the least recently used block first, as stock Spark does. */
final class Lru[K] extends SimplePolicy[K] {
  private val byUse = new LinkedHashMap[K, Unit](32, 0.75f, true)

  override def stored(block: K, bytes: Long): Unit = synchronized(byUse.put(block, ()): Unit)

  override def used(block: K): Unit = synchronized(byUse.get(block): Unit)

  override def left(block: K): Unit = synchronized(byUse.remove(block): Unit)

  override def end(): Unit = synchronized(byUse.clear())

  override def walk(more: K => Boolean): Unit = synchronized {
    val all = byUse.keySet.iterator
    while (all.hasNext && more(all.next())) {}
  }
}
