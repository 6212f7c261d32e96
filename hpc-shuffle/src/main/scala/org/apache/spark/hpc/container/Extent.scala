package org.apache.spark.hpc.container

/** Bytes of a file that stand together. */
final case class Extent(offset: Long, length: Long) {
  def end: Long = offset + length
}
