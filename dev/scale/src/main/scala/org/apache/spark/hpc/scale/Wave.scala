package org.apache.spark.hpc.scale

import scala.collection.mutable.ArrayBuffer

/** Tasks that wait until so many have begun, and then continue together. */
private[scale] final class Wave {
  private val waiting = new ArrayBuffer[() => Unit]

  /** Keeps what a task does next. With the last of `number` tasks, runs `first` and then what all of them do. */
  def join(number: Int)(first: => Unit)(next: => Unit): Unit = {
    val all = synchronized {
      waiting += (() => next)
      if (waiting.size < number) Nil
      else {
        val all = waiting.toList
        waiting.clear()
        all
      }
    }
    if (all.nonEmpty) {
      first
      all.foreach(_())
    }
  }
}
