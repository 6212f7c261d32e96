package org.sparkhpc.tier

import java.io.File
import java.util.{ArrayDeque, HashMap, UUID}

import scala.collection.JavaConverters._

/** Files of a shared file system that one spill after the other is written to.
  *
  * A spill of its own file costs the metadata server five requests: create, open, two closes and unlink.
  * Here the file of a deleted spill stays, and stays open, for the next one.
  *
  *  1. No more than `most` are there at once; a spill that gets none makes a file, as without them.
  *  1. Those that wait for a spill keep no more than `keptBytes` taken.
  *  1. Any thread may call any method.
  */
final class SpareFiles(directory: File, most: Int, keptBytes: Long) {
  // The last one that was left is the first to be taken.
  private val idle = new ArrayDeque[SpareFile]
  private val used = new HashMap[File, RecycledFile]
  private var idleBytes = 0L
  private var count = 0 // also of those that are being made
  private var again = 0L

  /** Spills that were written to a file that another one had left. */
  def recycled: Long = synchronized(again)

  /** None if there are as many as there may be. */
  private[tier] def take(): Option[RecycledFile] = {
    val (found, mayMake) = synchronized {
      val found = Option(idle.pollFirst())
      for (spare <- found) {
        idleBytes -= spare.size
        again += 1
      }
      val mayMake = found.isEmpty && count < most
      if (mayMake) count += 1
      (found, mayMake)
    }
    found.orElse(if (mayMake) Some(made()) else None).map { spare =>
      val use = new RecycledFile(spare, giveBack(_))
      synchronized(used.put(spare.path, use))
      use
    }
  }

  /** The spill that is there. */
  private[tier] def at(path: File): Option[RecycledFile] = synchronized(Option(used.get(path)))

  private def made(): SpareFile =
    try new SpareFile(new File(directory, s"temp_local_shared_${UUID.randomUUID()}"))
    catch {
      case failure: Throwable =>
        synchronized(count -= 1)
        throw failure
    }

  /** False if the file is still there, and nobody's. */
  private def giveBack(use: RecycledFile): Boolean = {
    val isKept = synchronized {
      used.remove(use.spare.path)
      val isKept = use.isSound && idleBytes + use.spare.size <= keptBytes
      if (isKept) {
        idleBytes += use.spare.size
        idle.addFirst(use.spare)
      } else {
        count -= 1
      }
      isKept
    }
    isKept || use.spare.delete()
  }

  /** Deletes those that wait for a spill, and keeps none that are in use now: their bytes are wanted. */
  private[tier] def clear(): Unit = {
    val all = synchronized {
      val all = idle.asScala.toList
      idle.clear()
      idleBytes = 0
      count -= all.size
      used.values.asScala.foreach(_.spoil())
      all
    }
    all.foreach(_.delete())
  }
}
