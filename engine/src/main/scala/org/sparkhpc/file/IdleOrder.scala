package org.sparkhpc.file

/** The order in which a [[FilePool]] closes idle files to make room for others. */
sealed abstract class IdleOrder(val name: String) {

  /** The file with the lowest rank is closed first.
    *
    * @param opened the logical time at which the file was opened
    * @param released the logical time at which its last reader was done with it
    */
  private[file] def rank(opened: Long, released: Long): Long
}

object IdleOrder {

  /** Closes the most recently used file first: a merge that reads its files in turn comes back to it last. */
  case object Lifo extends IdleOrder("lifo") {
    override private[file] def rank(opened: Long, released: Long): Long = -released
  }

  /** Closes the least recently used file first. */
  case object Lru extends IdleOrder("lru") {
    override private[file] def rank(opened: Long, released: Long): Long = released
  }

  /** Closes the file that was opened first. */
  case object Fifo extends IdleOrder("fifo") {
    override private[file] def rank(opened: Long, released: Long): Long = opened
  }

  val all: Seq[IdleOrder] = Seq(Lifo, Lru, Fifo)
}
