package org.apache.spark.shuffle.hpc.place

import java.nio.file.{Files, Path}

import org.apache.spark.SparkConf
import org.apache.spark.hpc.scale.SparseContainer
import org.apache.spark.storage.BlockManagerId

/** The containers in a shared directory in which thin executors keep map outputs, each in one of its own. Only a patched
  * Spark has them.
  */
private[spark] final class SharedPlaces(path: Path) {
  private val directory = new OutputDirectory(path)

  /** Makes a container with one map output, and returns its marker. */
  def make(
      executor: BlockManagerId,
      shuffle: Int,
      mapTaskId: Long,
      lengths: Array[Long]
  ): BlockManagerId = {
    val place =
      OutputPlace(executor.executorId, shuffle, mapTaskId.toString, executor.host, executor.port)
    directory.in(shuffle) {
      SparseContainer.make(file(place), shuffle, Seq(mapTaskId), lengths)((_, _) => ())
    }
    place.marker
  }

  /** Deletes the container that a marker names. */
  def lose(marker: BlockManagerId): Unit = Files.delete(file(OutputPlace.of(marker).get))

  private def file(place: OutputPlace): Path = directory.container(place).path
}

private[spark] object SharedPlaces {

  /** The application's directory, as the driver chose it. */
  def directory(conf: SparkConf): Path = SharedDirectory.path(conf).get
}
