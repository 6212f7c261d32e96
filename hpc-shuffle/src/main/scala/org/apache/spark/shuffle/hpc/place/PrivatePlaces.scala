package org.apache.spark.shuffle.hpc.place

import java.io.{File, IOException}
import java.nio.channels.ClosedByInterruptException
import java.nio.file.Path
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger

import scala.collection.concurrent.TrieMap

import org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager
import org.sparkhpc.container.{ContainerWriter, Room, Visibility}
import org.sparkhpc.tier.{GrowingFile, Tier, Tiers}

/** The places in this executor's own scratch: its tiers, or Spark's local directories in turn if there are no tiers.
  *
  * @param neighbours the list to which each container is added
  */
private[hpc] final class PrivatePlaces(disk: HpcDiskBlockManager, neighbours: NeighbourList)
    extends Places {
  import PrivatePlaces._

  private val turn = new AtomicInteger
  private val directories = disk.localDirs.toSeq.map(new Directory(_))
  private val ofTier = TrieMap.empty[Tier, Places.Place]
  private val shuffles = TrieMap.empty[Int, ConcurrentLinkedQueue[() => Unit]]

  override def next(
      but: Set[Places.Place],
      refusal: Option[ContainerWriter.Refusal]
  ): Places.Place = disk.tiers match {
    case Some(tiers) => next(tiers, but)
    case None =>
      val left = directories.filterNot(but)
      if (left.isEmpty) throw refusal.get
      left(Math.floorMod(turn.getAndIncrement(), left.size))
  }

  private def next(tiers: Tiers, but: Set[Places.Place]): Places.Place = {
    def roomy(but: Set[Tier]) = tiers.roomy(AtOnce, but)
    val refused = ofTier.collect { case (tier, place) if but(place) => tier }.toSet
    val found = roomy(refused).orElse {
      if (disk.giveRoom(AtOnce)) roomy(Set.empty) else None
    }
    val tier = found.getOrElse(throw tiers.noRoom("a map output", AtOnce))
    ofTier.getOrElseUpdate(tier, new InTier(tiers, tier))
  }

  override def remove(shuffle: Int): Unit = {
    shuffles.remove(shuffle).foreach(_.forEach(delete => delete()))
    neighbours.remove(shuffle)
  }

  /** When executors of the same host see what is written: they read it in place, perhaps through mounts of their own. */
  private def visibility(directory: File): Visibility =
    SharedDirectory.visibility(disk.coherences, directory)

  private def noted(
      shuffle: Int,
      path: Path,
      writer: => ContainerWriter
  )(delete: () => Unit): (Path, ContainerWriter) =
    try {
      val made = writer
      neighbours.add(shuffle, path)
      shuffles.getOrElseUpdate(shuffle, new ConcurrentLinkedQueue).add(delete)
      (path, made)
    } catch {
      case failure: Throwable =>
        delete()
        throw failure
    }

  private final class Directory(directory: File) extends Places.Place {
    override def kind: String = "local"

    override def make(shuffle: Int, name: String, partitions: Int): (Path, ContainerWriter) = {
      val file = new File(directory, nameOf(shuffle, name))
      def writer =
        try ContainerWriter.create(file.toPath, shuffle, partitions, visibility(directory))
        catch {
          case interrupt: ClosedByInterruptException => throw interrupt
          case failure: IOException => throw refusal(file, failure)
        }
      noted(shuffle, file.toPath, writer)(() => file.delete(): Unit)
    }
  }

  private final class InTier(tiers: Tiers, tier: Tier) extends Places.Place {
    override def kind: String = tier.label

    override def make(shuffle: Int, name: String, partitions: Int): (Path, ContainerWriter) = {
      val own = nameOf(shuffle, name)
      val file =
        try new GrowingFile(tiers, own, tier)
        catch {
          case failure: IOException => throw refusal(new File(tier.directory, own), failure)
        }
      val path = file.path.toPath
      def writer = {
        val seen = visibility(tier.directory)
        val begun = System.nanoTime()
        val made =
          try ContainerWriter.create(path, shuffle, partitions, seen, new OfFile(file))
          catch {
            case refusal: ContainerWriter.Refusal => throw refusal
            // The task was killed; its tier isn't at fault.
            case interrupt: ClosedByInterruptException => throw interrupt
            case failure: IOException =>
              file.refused(failure)
              throw refusal(file.path, failure)
          }
        file.made(System.nanoTime() - begun)
        made
      }
      noted(shuffle, path, writer)(() => file.delete())
    }
  }
}

private object PrivatePlaces {
  // The bytes that an output writes at once.
  private val AtOnce = 1L << 20

  private def nameOf(shuffle: Int, name: String): String = s"shuffle_${shuffle}_$name.container"

  private def refusal(file: File, failure: IOException) =
    new ContainerWriter.Refusal(s"Cannot create container $file: $failure", failure)

  private final class OfFile(file: GrowingFile) extends Room {
    override def take(bytes: Int): Boolean = file.take(bytes)
    override def wrote(bytes: Int, nanos: Long): Unit = file.wrote(bytes, nanos)
    override def refused(failure: IOException): Unit = file.refused(failure)
    override def gaveBack(bytes: Long): Unit = file.gaveBack(bytes)
  }
}
