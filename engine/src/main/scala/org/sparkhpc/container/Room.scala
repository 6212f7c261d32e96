package org.sparkhpc.container

import java.io.IOException

/** Grants a container bytes of its file system, and is told what became of them. */
trait Room {

  /** Takes `bytes` more; false if the container may not have them. */
  def take(bytes: Int): Boolean

  /** Bytes that were taken were written in `nanos`. */
  def wrote(bytes: Int, nanos: Long): Unit

  /** The file system refused to write bytes that were taken. */
  def refused(failure: IOException): Unit

  /** The file no longer uses `bytes` of those that were taken. */
  def gaveBack(bytes: Long): Unit
}

object Room {

  /** Room without a limit but that of the file system. */
  object Unbounded extends Room {
    override def take(bytes: Int): Boolean = true
    override def wrote(bytes: Int, nanos: Long): Unit = ()
    override def refused(failure: IOException): Unit = ()
    override def gaveBack(bytes: Long): Unit = ()
  }
}
