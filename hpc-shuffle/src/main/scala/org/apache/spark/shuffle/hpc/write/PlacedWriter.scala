package org.apache.spark.shuffle.hpc.write

import org.apache.spark.scheduler.MapStatus
import org.apache.spark.shuffle.ShuffleWriter
import org.apache.spark.shuffle.hpc.place.OutputPlace

/** Writes with `writer`, and then sets `place` as the location in the map status. */
private[hpc] final class PlacedWriter[K, V](writer: ShuffleWriter[K, V], place: => OutputPlace)
    extends ShuffleWriter[K, V] {

  override def write(records: Iterator[Product2[K, V]]): Unit = writer.write(records)

  override def stop(success: Boolean): Option[MapStatus] = {
    val status = writer.stop(success)
    status.foreach(_.updateLocation(place.marker))
    status
  }

  override def getPartitionLengths(): Array[Long] = writer.getPartitionLengths()
}
