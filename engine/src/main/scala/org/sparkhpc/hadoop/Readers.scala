package org.sparkhpc.hadoop

/** Tells who reads, for file systems that don't show a change at once to other nodes: there, a file stays open only for
  * the same reader. What another reader, or the same one's predecessor, has seen may be out of date.
  */
trait Readers {

  /** The reader that the calling thread works for, such as a Spark task; null if there is none.
    *
    * @param onEnd is called with the reader when it has ended
    */
  def current(onEnd: AnyRef => Unit): AnyRef
}

object Readers {

  /** For a process without tasks. */
  object None extends Readers {
    override def current(onEnd: AnyRef => Unit): AnyRef = null
  }
}
