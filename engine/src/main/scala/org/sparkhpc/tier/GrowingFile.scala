package org.sparkhpc.tier

import java.io.{File, IOException}
import java.util.concurrent.TimeUnit

/** A new scratch file that others write, piece by piece and in any order, and that stays in its tier.
  *
  * Bytes are taken before they are written; all of them are given back when it is deleted.
  */
final class GrowingFile private[tier] (tiers: Tiers, name: String, tier: Tier) {
  private val scratch = tiers.newFile(name)

  val path: File = tier.pathOf(scratch)
  scratch.goesTo(tier, new PlainFile(path), 0)

  /** Whether its tier has room for so many more bytes, which are taken. */
  def take(bytes: Int): Boolean =
    scratch.take(bytes.toLong, whateverBefore = tier == tiers.all.last)

  /** The file has so many bytes less than were taken. */
  def gaveBack(bytes: Long): Unit = scratch.gaveBack(bytes)

  /** So many bytes were written. */
  def wrote(bytes: Int, nanos: Long): Unit = tier.wrote(bytes.toLong, nanos)

  /** Its file system refused a write. */
  def refused(failure: IOException): Unit = tiers.refused(tier, failure)

  /** It was made, which took so long. */
  def made(nanos: Long): Unit = tier.operations.create.update(nanos, TimeUnit.NANOSECONDS)

  def delete(): Unit = scratch.delete(): Unit
}
