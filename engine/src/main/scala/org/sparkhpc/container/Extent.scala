package org.sparkhpc.container

/** Bytes of a file that stand together. */
final case class Extent(offset: Long, length: Long) {
  def end: Long = offset + length
}

private[container] object Extent {

  /** These and another one, as one with the last if it stands behind that. */
  def joined(extents: Vector[Extent], next: Extent): Vector[Extent] = extents.lastOption match {
    case Some(last) if last.end == next.offset =>
      extents.init :+ Extent(last.offset, last.length + next.length)
    case _ => extents :+ next
  }
}
