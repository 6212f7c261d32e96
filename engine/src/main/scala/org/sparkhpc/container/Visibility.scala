package org.sparkhpc.container

/** When other nodes see what is written to a container that stays open.
  *
  * @param isForced whether outputs must be on the device before they are reported
  * @param isRewritten whether a write may go to an extent that was given back. A reader's node may have the old bytes
  *   in its cache, and they have valid checksums, too
  */
sealed abstract class Visibility(val isForced: Boolean, val isRewritten: Boolean)

object Visibility {

  /** At once: the file system is made so, or has one node only. */
  case object Guaranteed extends Visibility(isForced = false, isRewritten = true)

  /** At once, as far as was observed. If others do see a write late, they find nothing or a hole in its place, which
    * has no valid checksum, and ask the executor that wrote it.
    */
  case object Observed extends Visibility(isForced = false, isRewritten = false)

  /** When the device has it. */
  case object Forced extends Visibility(isForced = true, isRewritten = false)
}
