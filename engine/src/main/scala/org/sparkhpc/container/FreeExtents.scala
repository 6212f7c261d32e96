package org.sparkhpc.container

import java.lang.{Long => JLong}

import scala.collection.JavaConverters._

import com.google.common.collect.{Range, TreeRangeSet}

/** The extents of a container that were written and aren't needed any more. Not thread-safe. */
private[container] final class FreeExtents {
  private val free = TreeRangeSet.create[JLong]()

  /** Adds an extent, joined with its neighbours. */
  def add(extent: Extent): Unit = if (extent.length > 0) free.add(range(extent))

  /** Takes an extent of this length from the first free one that is long enough. */
  def take(length: Long): Option[Extent] =
    free.asRanges.asScala.map(extent).find(_.length >= length).map { found =>
      val taken = Extent(found.offset, length)
      free.remove(range(taken))
      taken
    }

  /** Takes the free extent that ends at `end`, if there is one. */
  def takeLast(end: Long): Option[Extent] =
    Option(free.rangeContaining(end - 1)).map { last =>
      free.remove(last)
      extent(last)
    }

  private def range(extent: Extent): Range[JLong] =
    Range.closedOpen(JLong.valueOf(extent.offset), JLong.valueOf(extent.end))

  private def extent(range: Range[JLong]): Extent =
    Extent(range.lowerEndpoint, range.upperEndpoint - range.lowerEndpoint)
}
