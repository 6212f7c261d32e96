package org.sparkhpc.tier

import java.io.{File, IOException}

/** The scratch tiers of a process, the fastest first, and the places of its files.
  *
  *  1. A file is in one tier. It is found there by its name until it is deleted.
  *  1. A file that isn't counted is in the home tier, at the path that Spark's hash gives.
  *
  * @param home the tier of the files that Spark writes with streams of its own
  * @param tell called with notices for the user
  */
final class Tiers(val all: Seq[Tier], val home: Tier, tell: TierNotice => Unit) {
  private val placed = new PlacedFiles[ScratchFile]

  /** The file of this name, wherever it is. */
  def file(name: String): ScratchFile =
    placed.get(name).getOrElse {
      val atHome = home.pathOf(name)
      new ScratchFile(placed, home, atHome, _ => atHome, isNew = false)
    }

  /** A file of a name that none has had, so that the home tier needn't be asked for it.
    *
    * @param use what the file is for
    */
  def newFile(name: String, use: ScratchUse = ScratchUse.Own): ScratchFile =
    new ScratchFile(placed, home, new File(home.directory, name), home.pathOf(_), isNew = true, use)

  /** The first tier that has room for `bytes` now and isn't one of `but`. */
  def roomy(bytes: Long, but: Set[Tier]): Option[Tier] = {
    val found = next(bytes, but, _ => true)
    found.foreach(_.giveBack(bytes))
    found
  }

  /** Why no tier takes these bytes. */
  def noRoom(name: String, bytes: Long): IOException = new NoRoom(name, bytes, all)

  /** The files that are outside of the home's own directories. */
  def awayFromHome: Seq[File] =
    placed.all.filterNot(file => file.tier.contains(home) && !home.isForAll(file.at.getPath))

  /** Whether other processes may read the file at this path. */
  def isForAll(path: String): Boolean = all.exists(_.isForAll(path))

  def isAtHome(name: String): Boolean =
    placed.get(name).forall(_.tier.contains(home))

  /** Whether the file of this name is in the count of its tier. */
  def isCounted(name: String): Boolean = placed.contains(name)

  /** Takes `bytes` of a file in the first tier that has room for them, and returns that tier.
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

  /** Whether the tier is slow, so that the next tier that may be used should be taken instead. */
  private def isSlow(tier: Tier, open: Seq[Tier]): Boolean =
    open.drop(open.indexOf(tier) + 1).headOption.exists { next =>
      tier.pace.isPassedOverFor(next.pace) { (ours, theirs) =>
        if (tier.pace.timesPassedOver == 1) {
          val text =
            s"Scratch tier $tier is passed over for ${Pace.PassedOverSeconds} s at a time while it is " +
              s"slow: it takes ${ours / 1000} us for a write of up to 64 KiB, and $next takes ${theirs / 1000} us"
          tell(tier.notice(TierNotice.Slow, text))
        }
      }
    }

  /** The first tier that isn't on a shared file system and has room now. */
  def quick: Option[Tier] = all.find(tier => tier.kind != FileSystemKind.Shared && tier.hasRoom)

  /** The tier of the file at this path. Files in Spark's own directories belong to the home tier as well. */
  def of(path: String): Tier =
    all.find(_.holds(path)).getOrElse(home)

  /** The spill at this path, if it must not be opened by its path. */
  def recycledAt(path: File): Option[RecycledFile] =
    all.iterator.flatMap(_.spares).map(_.at(path)).collectFirst { case Some(recycled) => recycled }

  /** Deletes the files that are kept for later spills. */
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
    s"No scratch tier takes $bytes bytes of $name. $reasons. Give spark.hpc.scratch.tiers more room, or a " +
      s"directory that works; '$command' shows your quota in ${last.label}"
  }
}
