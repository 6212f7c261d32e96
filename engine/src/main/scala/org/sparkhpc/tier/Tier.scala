package org.sparkhpc.tier

import java.io.{File, FileOutputStream}
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicLong

/** One place for scratch files: how much it takes, and what this process has in it.
  *
  *  1. Bytes are taken before they are written, and given back once.
  *  1. A tier that refused a write is passed over for a while, and then tried again; so is one that
  *     is slow, but for files that are in it already.
  *
  * @param label of the tier in the list
  * @param fileSystem its type in the mount table
  * @param directory where its files are, for those who read of it
  * @param capacity bytes that this process may have there
  * @param room what its file system has left; None where that isn't asked for
  * @param uncounted what others have there of this process's capacity; None if they have none
  * @param spares files for one spill after the other; None where each has its own
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

  /** Where files go that others may read here, now and when this process is gone; None unless it is
    * proven that they can.
    */
  @volatile var forAll: Option[File] = None

  /** Whether a process on another node has read here what this one wrote, and the other way round. */
  def isProven: Boolean = forAll.nonEmpty

  /** Bytes of files that are counted as they are written. */
  def used: Long = taken.get

  /** Bytes of files that others wrote here, as of the last look. */
  def usedByOthers: Long = uncounted.fold(0L)(_.bytes)

  def files: Long = fileCount.get

  /** Files that went on in another tier, or began there, since this one had no room. */
  def overflows: Long = overflowCount.get

  /** Writes that the file system refused. */
  def failures: Long = failureCount.get

  private val prefix = directory.getPath + File.separator

  private[tier] def holds(path: String): Boolean = path.startsWith(prefix) || isForAll(path)

  private[tier] def isForAll(path: String): Boolean =
    forAll.exists(directory => path.startsWith(directory.getPath + File.separator))

  private[tier] def pathOf(name: String): File = path(name)

  private[tier] def pathOf(file: ScratchFile): File = file.use match {
    case ScratchUse.ForAll => forAll.fold(path(file.getName))(new File(_, file.getName))
    case _ => path(file.getName)
  }

  /** The file's bytes will go there, from the first on. */
  private[tier] def create(file: ScratchFile): TierOutput = {
    val timing = operations.create.time()
    val recycled = spares.filter(_ => file.use == ScratchUse.Spill).flatMap(_.take())
    val output = recycled.getOrElse {
      val path = pathOf(file) // at home that may make a directory
      new PlainOutput(new PlainFile(path), open(path))
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

  /** Whether it would take something now. */
  def hasRoom: Boolean = isOpen && room.forall(_.left > 0)

  /** Whether [[hasRoom]] is known without a request. */
  def knowsRoom: Boolean = room.forall(_.isKnown)

  /** As [[hasRoom]], by what its file system said last. */
  def hadRoom: Boolean = isOpen && room.flatMap(_.lastKnown).forall(_ > 0)

  private def isOpen: Boolean = !isPassedOver && used + usedByOthers < capacity

  /** Takes room for so many bytes, unless there is none or the tier is passed over now. */
  private[tier] def take(bytes: Long): Boolean = {
    val there = !isPassedOver && room.forall(_.left >= bytes) && takeOfCapacity(bytes)
    if (there) room.foreach(_.took(bytes))
    there
  }

  /** As [[take]], whatever became of the last write: the last tier may as well try again. */
  private[tier] def takeAnyway(bytes: Long): Boolean = takeOfCapacity(bytes)

  private def takeOfCapacity(bytes: Long): Boolean = {
    val mostBefore = capacity - usedByOthers - bytes
    var before = taken.get
    while (before <= mostBefore && !taken.compareAndSet(before, before + bytes))
      before = taken.get
    before <= mostBefore
  }

  /** Looks what others have here; whether that is less than was known. */
  private[tier] def foundRoom(): Boolean = uncounted.exists(_.isLess())

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
    spares.foreach(_.clear())
    isNews
  }

  private[tier] def mayTryAgain(): Unit = refused = None

  private def isPassedOver: Boolean =
    refused.exists(refusal => now() - refusal.at < PassedOverNanos)

  /** Why it takes no more, in words. */
  private[tier] def reason: String =
    refused.filter(_ => isPassedOver).map(_.why).getOrElse {
      if (capacity == 0) NoMemory else inUse
    }

  private def inUse: String = {
    val ofOthers = Some(usedByOthers).filter(_ > 0).fold("")(bytes => s" and $bytes by others")
    val ofCapacity =
      if (capacity == Long.MaxValue) None else Some(s"$used$ofOthers of $capacity bytes used")
    val both = ofCapacity ++ room.flatMap(_.inWords)
    if (both.isEmpty) "not for this file" else both.mkString(", ")
  }

  private[tier] def notice(event: TierNotice.Event, text: String): TierNotice =
    TierNotice.of(label, fileSystem, event, text)

  /** What is said at the start of one that will never take anything. */
  def notUsed: TierNotice = notice(TierNotice.NotUsed, s"Scratch tier $this isn't used: $reason")

  override def toString: String = s"$label $directory ($fileSystem)"
}

object Tier {
  // Only of memory a process can have no share: a capacity in the list is above 0.
  private val NoMemory =
    "this process has no share of the node's memory there: give the tier ?capacity=, or ask for more memory.overhead"

  private final class Refusal(val why: String, val at: Long)

  val PassedOverSeconds = 30L
  private val PassedOverNanos = TimeUnit.SECONDS.toNanos(PassedOverSeconds)
}
