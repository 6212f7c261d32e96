package org.sparkhpc.tier

import java.io.File
import java.util.{ArrayDeque, HashMap, UUID}

import scala.collection.JavaConverters._

/** Files of a shared file system, each of which holds one spill after another.
  *
  * A spill in a file of its own costs the metadata server five requests: create, open, two closes and unlink.
  * Here, the file of a deleted spill stays open for the next one.
  *
  *  1. At most `most` files exist at once. A spill that gets none makes an ordinary file.
  *  1. Idle files keep at most `keptBytes` taken.
  *  1. All methods are thread-safe.
  */
final class SpareFiles(directory: File, most: Int, keptBytes: Long) {
  // The file that became idle last is taken first.
  private val idle = new ArrayDeque[SpareFile]
  private val used = new HashMap[File, RecycledFile]
  private var idleBytes = 0L
  private var count = 0 // includes those that are being made
  private var again = 0L

  /** The number of spills that were written to the file of an earlier one. */
  def recycled: Long = synchronized(again)

  /** Takes a file for a spill; None if all `most` files are in use. */
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

  /** The spill in the file of this path. */
  private[tier] def at(path: File): Option[RecycledFile] = synchronized(Option(used.get(path)))

  private def made(): SpareFile =
    try new SpareFile(new File(directory, s"temp_local_shared_${UUID.randomUUID()}"))
    catch {
      case failure: Throwable =>
        synchronized(count -= 1)
        throw failure
    }

  /** Keeps a spill's file for the next one, or deletes it. False if it couldn't be deleted. */
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

  /** Deletes the idle files, and keeps none of those in use once their spills end: the tier needs their bytes. */
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
