package org.sparkhpc.tier

import java.io.{File, IOException}
import java.util.concurrent.TimeUnit

/** A new scratch file that other code writes, piece by piece and in any order, and that stays in its tier. No
  * file has had its name before.
  *
  * Bytes are taken before they are written; all of them are given back when the file is deleted.
  * If the file's directory can't be made, the constructor records a refusal of the tier and throws an IOException.
  */
final class GrowingFile(tiers: Tiers, name: String, tier: Tier) {
  private val scratch = tiers.newFile(name)

  val path: File =
    try tier.pathOf(name, scratch.use) // in the home tier this may make a directory
    catch {
      case failure: IOException =>
        refused(failure)
        throw failure
    }
  scratch.goesTo(tier, new PlainFile(path), 0)

  /** Takes `bytes` more; false if the tier has no room for them. */
  def take(bytes: Int): Boolean =
    scratch.take(bytes.toLong, whateverBefore = tier == tiers.all.last)

  /** Gives back bytes that were taken and that the file no longer uses. */
  def gaveBack(bytes: Long): Unit = scratch.gaveBack(bytes)

  /** Records that `bytes` were written in `nanos`. */
  def wrote(bytes: Int, nanos: Long): Unit = tier.wrote(bytes.toLong, nanos)

  /** Records that the file system refused a write. */
  def refused(failure: IOException): Unit = tiers.refused(tier, failure)

  /** Records that the file was created in `nanos`. */
  def made(nanos: Long): Unit = tier.operations.create.update(nanos, TimeUnit.NANOSECONDS)

  def delete(): Unit = scratch.delete(): Unit
}
