package org.sparkhpc.container

import scala.collection.mutable.ArrayBuffer

/** Plans the reads for several extents of a file: extents that are near each other share a read. */
object ReadPlan {

  // On a parallel file system a request takes as long as reading this many bytes.
  private val Gap = 64L << 10

  private val MostAtOnce = 1L << 20

  /** One read, with the extents that it serves and their requesters. */
  final case class Read[A](extent: Extent, parts: Seq[(Extent, A)])

  /** The reads, in the order of their offsets. Each extent is part of one read. A read is at most 1 MiB long,
    * unless it has a single extent.
    */
  def of[A](wanted: Seq[(Extent, A)]): Seq[Read[A]] = {
    val reads = new ArrayBuffer[Read[A]]
    for ((extent, who) <- wanted.sortBy(_._1.offset))
      reads.lastOption match {
        case Some(Read(before, parts)) if isNear(before, extent) =>
          val end = math.max(before.end, extent.end)
          reads(reads.size - 1) =
            Read(Extent(before.offset, end - before.offset), parts :+ (extent -> who))
        case _ => reads += Read(extent, Vector(extent -> who))
      }
    reads
  }

  private def isNear(before: Extent, next: Extent): Boolean =
    next.offset - before.end <= Gap &&
      math.max(before.end, next.end) - before.offset <= MostAtOnce
}
