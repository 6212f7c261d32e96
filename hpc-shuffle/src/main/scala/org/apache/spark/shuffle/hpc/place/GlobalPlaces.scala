package org.apache.spark.shuffle.hpc.place

import java.nio.file.Path

import org.sparkhpc.container.{ContainerWriter, Visibility}

/** The application's directory on the shared file system as the only place for containers. The driver removes them.
  *
  * @param visibility when other nodes see the outputs of a container that is made now
  */
private[hpc] final class GlobalPlaces(
    directory: => OutputDirectory,
    visibility: => Visibility,
    executor: => String
) extends Places
    with Places.Place {

  override def kind: String = "global"

  override def next(
      but: Set[Places.Place],
      refusal: Option[ContainerWriter.Refusal]
  ): Places.Place = refusal.fold[Places.Place](this)(throw _)

  override def make(shuffle: Int, name: String, partitions: Int): (Path, ContainerWriter) = {
    val path = directory.container(shuffle, executor, name)
    directory.in(shuffle)(path -> ContainerWriter.create(path, shuffle, partitions, visibility))
  }

  override def remove(shuffle: Int): Unit = ()
}
