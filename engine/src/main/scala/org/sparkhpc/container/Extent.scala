package org.sparkhpc.container

/** A contiguous range of bytes in a file. */
final case class Extent(offset: Long, length: Long) {
  def end: Long = offset + length
}

private[container] object Extent {

  /** Appends an extent; if it directly follows the last one, the two become one. */
  def joined(extents: Vector[Extent], next: Extent): Vector[Extent] = extents.lastOption match {
    case Some(last) if last.end == next.offset =>
      extents.init :+ Extent(last.offset, last.length + next.length)
    case _ => extents :+ next
  }
}
