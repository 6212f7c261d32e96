package org.sparkhpc.file

/** Which of the files that nobody reads just now is closed first, to open another one. */
sealed abstract class IdleOrder(val name: String) {

  /** The lowest rank goes first.
    *
    * @param opened when the file was opened, as a number that grows
    * @param released when its last reader was done with it, likewise
    */
  private[file] def rank(opened: Long, released: Long): Long
}

object IdleOrder {

  /** The one that was used last: a merge that takes its files in turn comes back to it last. */
  case object Lifo extends IdleOrder("lifo") {
    override private[file] def rank(opened: Long, released: Long): Long = -released
  }

  /** The one that was used least recently. */
  case object Lru extends IdleOrder("lru") {
    override private[file] def rank(opened: Long, released: Long): Long = released
  }

  /** The one that was opened first. */
  case object Fifo extends IdleOrder("fifo") {
    override private[file] def rank(opened: Long, released: Long): Long = opened
  }

  val all: Seq[IdleOrder] = Seq(Lifo, Lru, Fifo)
}
