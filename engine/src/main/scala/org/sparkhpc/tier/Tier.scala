package org.sparkhpc.tier

import java.io.{File, FileOutputStream}
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicLong

import org.sparkhpc.request.{RequestKind, Requests}

/** A place for scratch files, with its limits and the bytes that this process has there.
  *
  *  1. Bytes are taken before they are written, and given back once.
  *  1. A tier that refused a write is passed over for a while, and then tried again. So is a slow tier, except
  *     for files that are in it already.
  *
  * @param label of the tier in the list
  * @param fileSystem its type in the mount table
  * @param directory where its files are; messages show it
  * @param capacity bytes that this process may have there
  * @param room the room on its file system; None if that isn't checked
  * @param uncounted the bytes of this process's capacity that other files take; None if there are none
  * @param spares files that hold one spill after another; None if each spill has its own
  */
class Tier(
    val label: String,
    val fileSystem: String,
    val kind: FileSystemKind,
    val directory: File,
    val capacity: Long,
    room: Option[ScratchRoom],
    uncounted: Option[UncountedBytes] = None,
    private[tier] val spares: Option[SpareFiles] = None,
    now: () => Long = () => System.nanoTime()
)(path: String => File) {
  import Tier._

  private val taken, fileCount, overflowCount, failureCount = new AtomicLong
  @volatile private var refused: Option[Refusal] = None

  val operations: TierOperations = new TierOperations
  val pace: Pace = new Pace(now)

  /** The directory for files that other processes may read here, now and after this process has ended; None
    * unless it is proven that they can.
    */
  @volatile var forAll: Option[File] = None

  /** Whether a process on another node has read here what this one wrote, and vice versa. */
  def isProven: Boolean = forAll.nonEmpty

  /** Bytes of files that are counted as they are written. */
  def used: Long = taken.get

  /** Bytes of files that others wrote here, as of the last scan. */
  def usedByOthers: Long = uncounted.fold(0L)(_.bytes)

  def files: Long = fileCount.get

  /** Files that moved to another tier, or began there, since this one had no room. */
  def overflows: Long = overflowCount.get

  /** Writes that the file system refused. */
  def failures: Long = failureCount.get

  private val prefix = directory.getPath + File.separator

  private[tier] def holds(path: String): Boolean = path.startsWith(prefix) || isForAll(path)

  private[tier] def isForAll(path: String): Boolean =
    forAll.exists(directory => path.startsWith(directory.getPath + File.separator))

  private[tier] def pathOf(name: String): File = path(name)

  private[tier] def pathOf(name: String, use: ScratchUse): File = use match {
    case ScratchUse.ForAll => forAll.fold(path(name))(new File(_, name))
    case _ => path(name)
  }

  /** Creates a file in this tier. */
  private[tier] def create(name: String, use: ScratchUse): TierOutput = {
    val timing = operations.create.time()
    val recycled = spares.filter(_ => use == ScratchUse.Spill).flatMap(_.take())
    val output = recycled.getOrElse {
      val path = pathOf(name, use) // in the home tier this may make a directory
      new PlainOutput(new PlainFile(path), Requests.make(RequestKind.Open)(open(path)))
    }
    timing.stop()
    output
  }

  /** Spills that needed no new file. */
  def recycled: Long = spares.fold(0L)(_.recycled)

  protected def open(file: File): FileOutputStream = new FileOutputStream(file)

  private[tier] def wrote(bytes: Long, nanos: Long): Unit = {
    operations.write.update(nanos, TimeUnit.NANOSECONDS)
    pace.wrote(bytes, nanos)
  }

  /** Whether the tier has room now. */
  def hasRoom: Boolean = isOpen && room.forall(_.left > 0)

  /** Whether [[hasRoom]] is known without a request. */
  def knowsRoom: Boolean = room.forall(_.isKnown)

  /** As [[hasRoom]], by what is last known of its file system. */
  def hadRoom: Boolean = isOpen && room.flatMap(_.lastKnown).forall(_ > 0)

  private def isOpen: Boolean = !isPassedOver && used + usedByOthers < capacity

  /** Takes `bytes`; false if there is no room for them, or the tier is passed over now. */
  private[tier] def take(bytes: Long): Boolean = {
    val there = !isPassedOver && room.forall(_.left >= bytes) && takeOfCapacity(bytes)
    if (there) room.foreach(_.took(bytes))
    there
  }

  /** As [[take]], but only the capacity limits it: the last tier may as well be tried again. */
  private[tier] def takeAnyway(bytes: Long): Boolean = takeOfCapacity(bytes)

  private def takeOfCapacity(bytes: Long): Boolean = {
    val mostBefore = capacity - usedByOthers - bytes
    var before = taken.get
    while (before <= mostBefore && !taken.compareAndSet(before, before + bytes))
      before = taken.get
    before <= mostBefore
  }

  /** Counts the bytes of others anew; true if there are fewer than before. */
  private[tier] def foundRoom(): Boolean = uncounted.exists(_.isLess())

  private[tier] def giveBack(bytes: Long): Unit = taken.addAndGet(-bytes): Unit

  private[tier] def gotFile(): Unit = fileCount.incrementAndGet(): Unit
  private[tier] def lostFile(): Unit = fileCount.decrementAndGet(): Unit

  /** Counts an overflow; true the first time. */
  private[tier] def overflowed(): Boolean = overflowCount.getAndIncrement() == 0

  /** Records that the file system refused a write; true unless the tier was passed over for that already. */
  private[tier] def refuse(why: String): Boolean = {
    failureCount.incrementAndGet()
    val isNews = !isPassedOver
    refused = Some(new Refusal(why, now()))
    spares.foreach(_.clear())
    isNews
  }

  private[tier] def mayTryAgain(): Unit = refused = None

  private def isPassedOver: Boolean =
    refused.exists(refusal => now() - refusal.at < PassedOverNanos)

  /** Why the tier takes no more bytes, as text. */
  private[tier] def reason: String =
    refused.filter(_ => isPassedOver).map(_.why).getOrElse {
      if (capacity == 0) NoMemory else inUse
    }

  private def inUse: String = {
    val ofOthers = Some(usedByOthers).filter(_ > 0).fold("")(bytes => s", $bytes by others")
    val ofCapacity =
      if (capacity == Long.MaxValue) None else Some(s"$used of $capacity bytes used$ofOthers")
    val both = ofCapacity ++ room.flatMap(_.inWords)
    if (both.isEmpty) "not for this file" else both.mkString(", ")
  }

  private[tier] def notice(event: TierNotice.Event, text: String): TierNotice =
    TierNotice.of(label, fileSystem, event, text)

  /** The notice about a tier that will never take any bytes. */
  def notUsed: TierNotice = notice(TierNotice.NotUsed, s"Scratch tier $this isn't used: $reason")

  override def toString: String = s"$label $directory ($fileSystem)"
}

object Tier {
  // Only a memory tier can have a capacity of 0: one in the list is above 0.
  private val NoMemory =
    "this process has no share of the node's memory: give the tier a ?capacity=, or raise memory.overhead"

  private final class Refusal(val why: String, val at: Long)

  val PassedOverSeconds = 30L
  private val PassedOverNanos = TimeUnit.SECONDS.toNanos(PassedOverSeconds)
}
