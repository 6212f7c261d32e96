package org.apache.spark.hpc.tier

import java.io.{File, IOException}
import java.util.concurrent.ConcurrentHashMap

import scala.collection.JavaConverters._

/** The scratch tiers of a process, the fastest first, and which of its files are where.
  *
  *  1. A file is in one tier. It is found by its name where it was written, until it is deleted.
  *  1. A file that nobody counts is in the home tier, at the path that Spark's hash gives.
  *
  * @param home of the files that Spark writes with streams of its own
  * @param warn told of what a user should know
  */
final class Tiers(val all: Seq[Tier], home: Tier, warn: String => Unit) {
  private val placedFiles = new ConcurrentHashMap[String, ScratchFile]

  /** The file of this name, wherever it is. */
  def file(name: String): ScratchFile =
    Option(placedFiles.get(name)).getOrElse {
      val atHome = home.pathOf(name)
      new ScratchFile(this, atHome, _ => atHome, isNew = false)
    }

  /** A file of a name that none has had; nothing is asked of the home for it. */
  def newFile(name: String): ScratchFile =
    new ScratchFile(this, new File(home.directory, name), home.pathOf, isNew = true)

  /** The files that were placed outside the home tier. */
  def awayFromHome: Seq[File] =
    placedFiles.values.asScala.filterNot(_.tier.contains(home)).toList

  def isAtHome(name: String): Boolean =
    Option(placedFiles.get(name)).forall(_.tier.contains(home))

  private[tier] def placed(file: ScratchFile): Unit = placedFiles.put(file.getName, file): Unit
  private[tier] def left(file: ScratchFile): Unit = placedFiles.remove(file.getName, file): Unit

  /** The first tier that has room for so many bytes of a file, which are taken.
    *
    * @param but the tiers that had no room for them
    * @param mayUse which tiers may be used
    */
  private[tier] def next(bytes: Long, but: Set[Tier], mayUse: Tier => Boolean): Option[Tier] = {
    val open = all.filter(tier => mayUse(tier) && !but(tier))
    val found = open.find(_.take(bytes)).orElse(open.lastOption.filter(_.takeAnyway(bytes)))
    for {
      tier <- found
      passed <- all.takeWhile(_ != tier) if mayUse(passed) && passed.overflowed()
    } warn(s"Scratch files go on in $tier, since $passed has no room: ${passed.reason}")
    found
  }

  private[tier] def refused(tier: Tier, failure: IOException): Unit =
    if (tier.refuse(failure.getMessage)) {
      warn(
        s"Scratch tier $tier is passed over for ${Tier.PassedOverSeconds} s: ${failure.getMessage}"
      )
    }
}

/** No tier takes a file's next bytes. */
final class NoRoom(name: String, bytes: Long, tiers: Seq[Tier])
    extends IOException(NoRoom.describe(name, bytes, tiers))

private object NoRoom {
  private val Quota = Map(
    "lustre" -> "lfs quota -h",
    "gpfs" -> "mmlsquota",
    "beegfs" -> "beegfs-ctl --getquota",
    "panfs" -> "pan_quota"
  )

  private def describe(name: String, bytes: Long, tiers: Seq[Tier]): String = {
    val reasons = tiers.map(tier => s"$tier: ${tier.reason}").mkString("; ")
    val last = tiers.last
    s"No scratch tier takes $bytes bytes of $name. $reasons. Give spark.hpc.scratch more room, or " +
      s"see '${Quota.getOrElse(last.fileSystem, "quota -s")}' for what you may have in ${last.label}"
  }
}
