package org.sparkhpc.tier

import java.io.{File, IOException}
import java.util.concurrent.ConcurrentHashMap

import scala.collection.JavaConverters._

/** The scratch tiers of a process, the fastest first, and which of its files are where.
  *
  *  1. A file is in one tier. It is found by its name where it was written, until it is deleted.
  *  1. A file that nobody counts is in the home tier, at the path that Spark's hash gives.
  *
  * @param home of the files that Spark writes with streams of its own
  * @param tell told of what a user should know
  */
final class Tiers(val all: Seq[Tier], val home: Tier, tell: TierNotice => Unit) {
  private val placedFiles = new ConcurrentHashMap[String, ScratchFile]

  /** The file of this name, wherever it is. */
  def file(name: String): ScratchFile =
    Option(placedFiles.get(name)).getOrElse {
      val atHome = home.pathOf(name)
      new ScratchFile(this, atHome, _ => atHome, isNew = false)
    }

  /** A file of a name that none has had; nothing is asked of the home for it.
    *
    * @param use what it is for
    */
  def newFile(name: String, use: ScratchUse = ScratchUse.Own): ScratchFile =
    new ScratchFile(this, new File(home.directory, name), home.pathOf(_), isNew = true, use)

  /** The first tier that has room for so many bytes now and is none of these. */
  def roomy(bytes: Long, but: Set[Tier]): Option[Tier] = {
    val found = next(bytes, but, _ => true)
    found.foreach(_.giveBack(bytes))
    found
  }

  /** A file of a name that none has had, in that tier. */
  def growing(name: String, tier: Tier): GrowingFile = new GrowingFile(this, name, tier)

  /** Why no tier takes these bytes. */
  def noRoom(name: String, bytes: Long): IOException = new NoRoom(name, bytes, all)

  /** The files that were placed elsewhere than in the home's own directories. */
  def awayFromHome: Seq[File] =
    placedFiles.values.asScala
      .filterNot(file => file.tier.contains(home) && !home.isForAll(file.at.getPath)).toList

  /** Whether others may read what is there. */
  def isForAll(path: String): Boolean = all.exists(_.isForAll(path))

  def isAtHome(name: String): Boolean =
    Option(placedFiles.get(name)).forall(_.tier.contains(home))

  /** Whether the file of this name is in the count of its tier. */
  def isCounted(name: String): Boolean = placedFiles.containsKey(name)

  private[tier] def placed(file: ScratchFile): Unit = placedFiles.put(file.getName, file): Unit
  private[tier] def left(file: ScratchFile): Unit = placedFiles.remove(file.getName, file): Unit

  /** The first tier that has room for so many bytes of a file, which are taken.
    *
    * @param but the tiers that had no room for them
    * @param mayUse which tiers may be used
    */
  private[tier] def next(bytes: Long, but: Set[Tier], mayUse: Tier => Boolean): Option[Tier] = {
    val open = all.filter(tier => mayUse(tier) && !but(tier))
    val (slow, quick) = open.partition(isSlow(_, open))
    val found = (quick ++ slow).find(_.take(bytes))
      .orElse(open.lastOption.filter(tier => tier == all.last && tier.takeAnyway(bytes)))
    for {
      tier <- found
      passed <- all.takeWhile(_ != tier)
      if mayUse(passed) && !slow.contains(passed) && passed.overflowed()
    } {
      val text = s"Scratch files go on in $tier, since $passed has no room: ${passed.reason}"
      tell(passed.notice(TierNotice.Overflow, text))
    }
    found
  }

  /** Whether the next tier that may be used had better be taken. */
  private def isSlow(tier: Tier, open: Seq[Tier]): Boolean =
    open.drop(open.indexOf(tier) + 1).headOption.exists { next =>
      tier.pace.isPassedOverFor(next.pace) { (ours, theirs) =>
        if (tier.pace.timesPassedOver == 1) {
          val text =
            s"Scratch tier $tier is passed over for ${Pace.PassedOverSeconds} s at a time while it is " +
              s"slow: it takes ${ours / 1000} us for a write of up to 64 KiB, and $next ${theirs / 1000}"
          tell(tier.notice(TierNotice.Slow, text))
        }
      }
    }

  /** The first that is quick and would take something now. */
  def quick: Option[Tier] = all.find(tier => tier.kind != FileSystemKind.Shared && tier.hasRoom)

  /** The tier of a file that is there; the home's are those of Spark's own directories, too. */
  def of(path: String): Tier =
    all.find(_.holds(path)).getOrElse(home)

  /** The spill that is there, if it isn't to be opened by its path. */
  def recycledAt(path: File): Option[RecycledFile] =
    all.iterator.flatMap(_.spares).map(_.at(path)).collectFirst { case Some(recycled) => recycled }

  /** Deletes what is kept for files to come. */
  def close(): Unit = all.foreach(_.spares.foreach(_.clear()))

  private[tier] def refused(tier: Tier, failure: IOException): Unit =
    if (tier.refuse(failure.getMessage)) {
      val text =
        s"Scratch tier $tier is passed over for ${Tier.PassedOverSeconds} s: ${failure.getMessage}"
      tell(tier.notice(TierNotice.Refused, text))
    }
}

/** No tier takes a file's next bytes. */
final class NoRoom(name: String, bytes: Long, tiers: Seq[Tier])
    extends IOException(NoRoom.describe(name, bytes, tiers))

private object NoRoom {
  private val Quota = Map(
    "lustre" -> "lfs quota -h",
    "gpfs" -> "mmlsquota",
    "btrfs" -> "btrfs qgroup show -r",
    "beegfs" -> "beegfs-ctl --getquota",
    "panfs" -> "pan_quota"
  )

  private def describe(name: String, bytes: Long, tiers: Seq[Tier]): String = {
    val reasons = tiers.map(tier => s"$tier: ${tier.reason}").mkString("; ")
    val last = tiers.last
    val command = Quota.getOrElse(last.fileSystem, "quota -ugs")
    s"No scratch tier takes $bytes bytes of $name. $reasons. Give spark.hpc.scratch more room, or a " +
      s"directory that works; see '$command' for what you may have in ${last.label}"
  }
}
