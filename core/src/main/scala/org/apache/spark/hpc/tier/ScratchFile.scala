package org.apache.spark.hpc.tier

import java.io.File
import java.nio.file.Path

/** A scratch file wherever it is now: each question about it is answered by its present place.
  *
  * Until a [[TierStream]] places it, it is the file of this name in the home tier, uncounted, as
  * Spark's own streams write it. Java's own file streams open what getPath says; the other methods of
  * File don't ask getPath, so they are answered here.
  */
final class ScratchFile private[tier] (tiers: Tiers, home: File) extends File(home.getPath) {
  private final class Place(val tier: Tier, val file: File, var charged: Long)

  private var place: Option[Place] = None

  private def now: File = synchronized(place.fold(home)(_.file))

  /** Takes so many more bytes in the tier where it is; false if there is no room, or no tier yet. */
  private[tier] def take(bytes: Long): Boolean = synchronized {
    place.exists { here =>
      val there = here.tier.take(bytes)
      if (there) here.charged += bytes
      there
    }
  }

  /** From now on it is there, where so many bytes are taken for it; deletes it where it was. */
  private[tier] def goesTo(tier: Tier, file: File, taken: Long): Unit = synchronized {
    val left = place.map(_.file)
    leave()
    place = Some(new Place(tier, file, taken))
    tier.gotFile()
    tiers.placed(this)
    left.foreach(_.delete())
  }

  /** It holds so many bytes, no more. */
  private[tier] def settle(length: Long): Unit = synchronized {
    for (here <- place) {
      here.tier.giveBack(here.charged - length)
      here.charged = length
    }
  }

  private[tier] def tier: Option[Tier] = synchronized(place.map(_.tier))

  /** Gives back what is taken for it: it isn't there any more. */
  private def leave(): Unit = {
    for (here <- place) {
      here.tier.giveBack(here.charged)
      here.tier.lostFile()
      tiers.left(this)
    }
    place = None
  }

  private def leaveIf(isGone: Boolean): Unit = synchronized(if (isGone) leave())

  override def exists(): Boolean = {
    val there = if (isPlaced) now.exists() else super.exists()
    leaveIf(!there) // somebody moved it by its path
    there
  }

  override def delete(): Boolean = {
    val file = new File(getPath)
    val deleted = file.delete()
    leaveIf(deleted || !file.exists())
    deleted
  }

  override def renameTo(to: File): Boolean = {
    val renamed = new File(getPath).renameTo(new File(to.getPath))
    leaveIf(renamed)
    renamed
  }

  private def isPlaced: Boolean = synchronized(place.nonEmpty)

  override def getPath: String = now.getPath
  override def getAbsolutePath: String = now.getAbsolutePath
  override def getAbsoluteFile: File = now.getAbsoluteFile
  override def getCanonicalPath: String = now.getCanonicalPath
  override def getCanonicalFile: File = now.getCanonicalFile
  override def getParent: String = now.getParent
  override def getParentFile: File = now.getParentFile
  override def toPath: Path = now.toPath
  override def isFile: Boolean = now.isFile
  override def length(): Long = now.length()
  override def lastModified(): Long = now.lastModified()
  override def canRead: Boolean = now.canRead
}
