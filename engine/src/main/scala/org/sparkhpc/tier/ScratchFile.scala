package org.sparkhpc.tier

import java.io.{File, InputStream}
import java.util.concurrent.TimeUnit

import org.sparkhpc.request.{RequestKind, Requests}

/** A scratch file that may move between tiers. Each method answers for the file's present place.
  *
  *  1. Until a [[TierStream]] places it, it is the file of this name in the home tier, uncounted, as Spark's own
  *     streams write it. Java's file streams open the path that getPath returns. The other methods of File don't
  *     call getPath, so they are overridden here.
  *  1. A plain file that is renamed to it goes to `native`, since Java calls none of its methods then.
  *  1. A new file is created lazily: until its path has been requested, no other code can know it, so `exists`
  *     returns false without a file-system call. The same holds for a file that has left its tier.
  *  1. The methods of File that this class overrides don't reveal a temporary file's path, so on a shared file
  *     system it can be in the file of an older one ([[RecycledFile]]).
  *
  * @param placed the files that are in a tier, including this one while it is in one
  * @param atHome returns the file of this name in the home tier; called when that is first needed
  * @param use what the file is for
  */
final class ScratchFile private[tier] (
    placed: PlacedFiles[ScratchFile],
    homeTier: Tier,
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

  /** Its place, for callers that don't open it there. */
  def at: File = synchronized(file.place)

  /** The file to read from if it must not be opened by its path; None otherwise. */
  def recycled: Option[RecycledFile] = synchronized {
    place.map(_.file).collect { case recycled: RecycledFile => recycled }
  }

  private[tier] def input(): InputStream = synchronized(file.input())

  private[tier] def tier: Option[Tier] = synchronized(place.map(_.tier))

  /** Takes `bytes` more in the file's tier; false if that has no room, or the file has no tier yet.
    *
    * @param whateverBefore whether to take them even if a write was refused a while ago
    */
  private[tier] def take(bytes: Long, whateverBefore: Boolean = false): Boolean = synchronized {
    place.exists { here =>
      val there = here.tier.take(bytes) || whateverBefore && here.tier.takeAnyway(bytes)
      if (there) here.charged += bytes
      there
    }
  }

  /** Gives back bytes that were taken and that the file no longer uses. */
  private[tier] def gaveBack(bytes: Long): Unit = synchronized {
    for (here <- place) {
      here.tier.giveBack(bytes)
      here.charged -= bytes
    }
  }

  /** Moves this file to `tier`, where `taken` bytes are taken for it, and deletes it from its old place. */
  private[tier] def goesTo(tier: Tier, file: TierFile, taken: Long): Unit = synchronized {
    val left = place.map(_.file)
    leave()
    place = Some(new Place(tier, file, taken))
    tier.gotFile()
    placed.add(this)
    isNew = false
    left.foreach(_.delete())
  }

  /** Gives back all taken bytes beyond the file's length. */
  private[tier] def settle(length: Long): Unit = synchronized {
    for (here <- place) {
      here.tier.giveBack(here.charged - length)
      here.charged = length
    }
  }

  /** Gives back the bytes taken for the file, which is gone. */
  private def leave(): Unit = {
    for (here <- place) {
      here.tier.giveBack(here.charged)
      here.tier.lostFile()
      placed.remove(this)
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
    val nanos = System.nanoTime() - begun
    Requests.made(RequestKind.Metadata, nanos)
    if (deleted) place.fold(homeTier)(_.tier).operations.delete.update(nanos, TimeUnit.NANOSECONDS)
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
