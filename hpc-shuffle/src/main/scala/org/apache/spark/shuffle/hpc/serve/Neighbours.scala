package org.apache.spark.shuffle.hpc.serve

import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap

import com.google.common.cache.{Cache, CacheBuilder}
import org.apache.spark.shuffle.hpc.place.{ContainerFile, NeighbourList}
import org.apache.spark.shuffle.hpc.read.ContainerFiles

/** Finds the container of a map output that another executor on this node wrote.
  *
  * An executor has a container in each of its local directories, and looking for an output in a file costs a read for
  * each container. The indexes that this process has already read are therefore searched first. An output that was in
  * no container is in none later, because an output is published before anybody asks for it.
  *
  * @param list lists the containers of an executor with these local directories, for a shuffle
  */
private[hpc] final class Neighbours(
    files: ContainerFiles,
    list: (Array[String], Int) => Seq[Path] = NeighbourList.read
) {
  import Neighbours._

  private val known: Cache[(String, Int), Containers] =
    CacheBuilder.newBuilder().maximumSize(MostKnown).build()

  /** None if no container has it. */
  def container(dirs: Array[String], shuffle: Int, mapTaskId: Long): Option[ContainerFile] = {
    val key = (dirs.head, shuffle)
    val before = Option(known.getIfPresent(key))
    if (before.exists(_.without.contains(mapTaskId))) None
    else
      before.flatMap(its => find(its.listed, mapTaskId)).orElse {
        val listed = list(dirs, shuffle).map(ContainerFile(shuffle, _))
        val now = new Containers(listed, before.fold(newSet)(_.without))
        known.put(key, now)
        val found = find(listed, mapTaskId)
        if (found.isEmpty) now.without.add(mapTaskId)
        found
      }
  }

  private def find(containers: Seq[ContainerFile], mapTaskId: Long): Option[ContainerFile] =
    containers.find(files.knows(_, mapTaskId)).orElse {
      val (read, unread) = containers.partition(files.isOpen)
      (unread ++ read).find(files.has(_, mapTaskId))
    }
}

private object Neighbours {
  private val MostKnown = 10000L

  private def newSet: java.util.Set[Long] = ConcurrentHashMap.newKeySet[Long]()

  /** @param without the outputs that are known to be in none of them */
  private final class Containers(
      val listed: Seq[ContainerFile],
      val without: java.util.Set[Long]
  )
}
