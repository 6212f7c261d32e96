package org.sparkhpc.tier

/** What a scratch file is for. */
sealed abstract class ScratchUse

object ScratchUse {

  /** Only this process opens the file, by its path. */
  case object Own extends ScratchUse

  /** Other processes may read the file, in a tier where they can. */
  case object ForAll extends ScratchUse

  /** A spill, written once, read once or twice, and deleted. */
  case object Spill extends ScratchUse
}
