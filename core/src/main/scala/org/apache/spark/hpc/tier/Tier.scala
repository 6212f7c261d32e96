package org.apache.spark.hpc.tier

import java.io.{File, FileOutputStream}
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicLong

/** One place for scratch files: how much it takes, and what this process has in it.
  *
  *  1. Bytes are taken before they are written, and given back once.
  *  1. A tier that refused a write is passed over for a while, and then tried again.
  *
  * @param label of the tier in the list
  * @param fileSystem its type in the mount table
  * @param directory where its files are, for those who read of it
  * @param capacity bytes that this process may have there
  * @param room what its file system has left; None where that isn't asked for
  */
class Tier(
    val label: String,
    val fileSystem: String,
    val kind: FileSystemKind,
    val directory: File,
    val capacity: Long,
    room: Option[ScratchRoom],
    now: () => Long = () => System.nanoTime()
)(path: String => File) {
  import Tier._

  private val taken, fileCount, overflowCount, failureCount = new AtomicLong
  @volatile private var refused: Option[Refusal] = None

  def used: Long = taken.get
  def files: Long = fileCount.get

  /** Files that went on in another tier, or began there, since this one had no room. */
  def overflows: Long = overflowCount.get

  /** Writes that the file system refused. */
  def failures: Long = failureCount.get

  private[tier] def pathOf(name: String): File = path(name)
  private[tier] def create(file: File): FileOutputStream = new FileOutputStream(file)

  /** Takes room for so many bytes, unless there is none or the tier is passed over now. */
  private[tier] def take(bytes: Long): Boolean = {
    val there = !isPassedOver && room.forall(_.left >= bytes) && takeOfCapacity(bytes)
    if (there) room.foreach(_.took(bytes))
    there
  }

  /** As [[take]], whatever became of the last write: the last tier may as well try again. */
  private[tier] def takeAnyway(bytes: Long): Boolean = takeOfCapacity(bytes)

  private def takeOfCapacity(bytes: Long): Boolean = {
    var before = taken.get
    while (bytes <= capacity - before && !taken.compareAndSet(before, before + bytes))
      before = taken.get
    bytes <= capacity - before
  }

  private[tier] def giveBack(bytes: Long): Unit = taken.addAndGet(-bytes): Unit

  private[tier] def gotFile(): Unit = fileCount.incrementAndGet(): Unit
  private[tier] def lostFile(): Unit = fileCount.decrementAndGet(): Unit

  /** True the first time. */
  private[tier] def overflowed(): Boolean = overflowCount.getAndIncrement() == 0

  /** The file system refused a write; true unless the tier was passed over for that already. */
  private[tier] def refuse(why: String): Boolean = {
    failureCount.incrementAndGet()
    val isNews = !isPassedOver
    refused = Some(new Refusal(why, now()))
    isNews
  }

  private[tier] def mayTryAgain(): Unit = refused = None

  private def isPassedOver: Boolean =
    refused.exists(refusal => now() - refusal.at < PassedOverNanos)

  /** Why it takes no more, in words. */
  private[tier] def reason: String =
    refused.filter(_ => isPassedOver).map(_.why).getOrElse {
      val ofCapacity =
        if (capacity == Long.MaxValue) None else Some(s"$used of $capacity bytes used")
      val free = room.flatMap(_.lastKnown).map(left => s"$left bytes free besides the reserve")
      val both = ofCapacity ++ free
      if (both.isEmpty) "not for this file" else both.mkString(", ")
    }

  override def toString: String = s"$label $directory ($fileSystem)"
}

object Tier {
  private final class Refusal(val why: String, val at: Long)

  val PassedOverSeconds = 30L
  private val PassedOverNanos = TimeUnit.SECONDS.toNanos(PassedOverSeconds)
}
