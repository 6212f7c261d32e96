package org.apache.spark.shuffle.hpc.read

import java.util.concurrent.{ConcurrentHashMap, TimeUnit}
import java.util.concurrent.atomic.AtomicLong

import scala.collection.JavaConverters._

import com.google.common.cache.{Cache, CacheBuilder}

import org.apache.spark.shuffle.hpc.place.ContainerFile
import org.sparkhpc.container.ContainerIndex

/** Indexes of containers, within a bound on memory.
  *
  * Each reducer of a large shuffle asks for all containers, in turn. If their indexes don't fit together, a cache that
  * evicts the least recently used one has none of them when it is asked for. So an index without room takes no other's
  * place: one that is kept stays until nobody has asked for it for a minute and its room is needed. An eighth of the
  * memory is for the last ones without room, which are asked for more than once while their blocks are read.
  *
  * @param most the bytes of memory that all may take
  */
private[read] final class IndexCache(most: Long, now: () => Long = () => System.nanoTime()) {
  import IndexCache._

  private val mostRecent = most / PartForRecent
  private val kept = new ConcurrentHashMap[ContainerFile, Kept]
  private val recent: Cache[ContainerFile, ContainerIndex] =
    CacheBuilder.newBuilder()
      .concurrencyLevel(1) // each segment of a cache has its own bound
      .maximumWeight(mostRecent)
      .weigher((_: ContainerFile, index: ContainerIndex) =>
        math.min(index.weight, Int.MaxValue.toLong).toInt
      )
      .build()
  private val used = new AtomicLong
  private val searchedAt = new AtomicLong(now() - SearchNanos)

  def get(container: ContainerFile): Option[ContainerIndex] =
    Option(kept.get(container)) match {
      case Some(its) =>
        its.askedAt = now()
        Some(its.index)
      case None => Option(recent.getIfPresent(container))
    }

  /** Takes an index, instead of an earlier one of the same container. */
  def put(container: ContainerFile, index: ContainerIndex): Unit = {
    val before = Option(kept.get(container)).fold(0L)(_.index.weight)
    def fits = used.get - before + index.weight <= most - mostRecent
    if (!fits) removeIdle()
    if (fits) {
      used.addAndGet(index.weight)
      gone(kept.put(container, new Kept(index, now())))
    } else {
      gone(kept.remove(container))
      recent.put(container, index)
    }
  }

  def forget(container: ContainerFile): Unit = {
    gone(kept.remove(container))
    recent.invalidate(container)
  }

  /** The bytes of memory that the indexes take. */
  def bytes: Long = used.get + recent.asMap.values.asScala.map(_.weight).sum

  private def gone(its: Kept): Unit =
    if (its != null) used.addAndGet(-its.index.weight): Unit

  /** Searches rarely: it looks at all, and a reducer may put thousands that don't fit. */
  private def removeIdle(): Unit = {
    val at = now()
    val last = searchedAt.get
    if (at - last >= SearchNanos && searchedAt.compareAndSet(last, at))
      for ((container, its) <- kept.asScala if at - its.askedAt > IdleNanos)
        if (kept.remove(container, its)) gone(its)
  }
}

private object IndexCache {
  private val PartForRecent = 8
  private val IdleNanos = TimeUnit.MINUTES.toNanos(1)
  private val SearchNanos = TimeUnit.SECONDS.toNanos(1)

  private final class Kept(val index: ContainerIndex, @volatile var askedAt: Long)
}
