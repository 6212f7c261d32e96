package org.sparkhpc.container

import java.io.IOException

/** What a container's file system lets it have. */
trait Room {

  /** Takes so many more bytes; false if the container may not have them. */
  def take(bytes: Int): Boolean

  /** They were written. */
  def wrote(bytes: Int, nanos: Long): Unit

  /** The file system refused what was taken. */
  def refused(failure: IOException): Unit

  /** The file has so many bytes less than were taken. */
  def gaveBack(bytes: Long): Unit
}

object Room {

  /** As much as the file system takes. */
  object Unbounded extends Room {
    override def take(bytes: Int): Boolean = true
    override def wrote(bytes: Int, nanos: Long): Unit = ()
    override def refused(failure: IOException): Unit = ()
    override def gaveBack(bytes: Long): Unit = ()
  }
}
