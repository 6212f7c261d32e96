package org.sparkhpc.container

import scala.collection.mutable.ArrayBuffer

/** Which bytes are read at once for several extents of a file: those that are near each other. */
object ReadPlan {

  // On a parallel file system a request takes as long as these many bytes.
  private val Gap = 64L << 10

  private val MostAtOnce = 1L << 20

  /** One read, and who wants which part of it. */
  final case class Read[A](extent: Extent, parts: Seq[(Extent, A)])

  /** Reads that have each of the extents whole, by their offsets; none is over 1 MiB, but for one that
    * has a single extent.
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
