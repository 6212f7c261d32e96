package org.sparkhpc.tier

import java.io.{File, InputStream}
import java.util.concurrent.TimeUnit

/** A scratch file wherever it is now: each question about it is answered by its present place.
  *
  *  1. Until a [[TierStream]] places it, it is the file of this name in the home tier, uncounted, as
  *     Spark's own streams write it. Java's file streams open what getPath says; the other methods of
  *     File don't ask getPath, so they are answered here.
  *  1. A plain file that is renamed to it goes to `native`: there Java asks no method at all.
  *  1. Of a new file nothing is asked before its path was: nobody can have made it. So it is with one
  *     that was in a tier and is gone from there.
  *  1. What is asked of a temporary one by methods of File is answered without saying where it is; so a
  *     shared file system can have it in a file of an older one ([[RecycledFile]]).
  *
  * @param atHome the file of this name in the home tier, asked for when it is needed
  * @param use what it is for
  */
final class ScratchFile private[tier] (
    tiers: Tiers,
    native: File,
    atHome: String => File,
    private var isNew: Boolean,
    private[tier] val use: ScratchUse = ScratchUse.Own
) extends StandInFile(native.getPath) {
  private final class Place(val tier: Tier, val file: TierFile, var charged: Long)

  private var place: Option[Place] = None
  private lazy val home = atHome(getName)

  protected override def now: File = synchronized {
    isNew = false
    place.fold(home)(_.file.path)
  }

  /** Whether nobody can have written it yet. */
  def isUntouched: Boolean = synchronized(isNew)

  private def file: TierFile = place.fold[TierFile](new PlainFile(home))(_.file)

  /** Where it is, for those who don't open it there. */
  def at: File = synchronized(file.place)

  /** What to read a file from that isn't to be opened by its path; None of any other. */
  def recycled: Option[RecycledFile] = synchronized {
    place.map(_.file).collect { case recycled: RecycledFile => recycled }
  }

  private[tier] def input(): InputStream = synchronized(file.input())

  private[tier] def tier: Option[Tier] = synchronized(place.map(_.tier))

  /** Takes so many more bytes in the tier where it is; false if there is no room, or no tier yet.
    *
    * @param whateverBefore also if a write was refused a while ago
    */
  private[tier] def take(bytes: Long, whateverBefore: Boolean = false): Boolean = synchronized {
    place.exists { here =>
      val there = here.tier.take(bytes) || whateverBefore && here.tier.takeAnyway(bytes)
      if (there) here.charged += bytes
      there
    }
  }

  /** It has so many bytes less than were taken. */
  private[tier] def gaveBack(bytes: Long): Unit = synchronized {
    for (here <- place) {
      here.tier.giveBack(bytes)
      here.charged -= bytes
    }
  }

  /** From now on it is there, where so many bytes are taken for it; deletes it where it was. */
  private[tier] def goesTo(tier: Tier, file: TierFile, taken: Long): Unit = synchronized {
    val left = place.map(_.file)
    leave()
    place = Some(new Place(tier, file, taken))
    tier.gotFile()
    tiers.placed(this)
    isNew = false
    left.foreach(_.delete())
  }

  /** It holds so many bytes, no more. */
  private[tier] def settle(length: Long): Unit = synchronized {
    for (here <- place) {
      here.tier.giveBack(here.charged - length)
      here.charged = length
    }
  }

  /** Gives back what is taken for it: it isn't there any more. */
  private def leave(): Unit = {
    for (here <- place) {
      here.tier.giveBack(here.charged)
      here.tier.lostFile()
      tiers.left(this)
      isNew = true
    }
    place = None
  }

  override def exists(): Boolean = synchronized {
    val there = !isNew && file.exists
    if (!there) leave() // somebody moved it by its path
    there
  }

  override def length(): Long = synchronized(if (isNew) 0 else file.length)

  override def delete(): Boolean = synchronized(!isNew && isDeleted())

  private def isDeleted(): Boolean = {
    val file = this.file
    val begun = System.nanoTime()
    val deleted = file.delete()
    if (deleted) {
      val tier = place.fold(tiers.home)(_.tier)
      tier.operations.delete.update(System.nanoTime() - begun, TimeUnit.NANOSECONDS)
    }
    if (deleted || !file.exists) leave()
    deleted
  }

  override def renameTo(to: File): Boolean = synchronized {
    val renamed = file.renameTo(new File(to.getPath))
    if (renamed) leave()
    renamed
  }

  override def toString: String = at.getPath
}

/** What a [[ScratchFile]] is for. */
sealed abstract class ScratchUse

object ScratchUse {

  /** This process alone opens it, by its path. */
  case object Own extends ScratchUse

  /** Others may read it, in a tier where they can. */
  case object ForAll extends ScratchUse

  /** A spill, written once, read once or twice, and deleted. */
  case object Spill extends ScratchUse
}
