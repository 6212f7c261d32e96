package org.apache.spark.storage.hpc.scratch

/** Deletes its files in scratch directories when others need the space. */
private[spark] trait RoomGiver {

  /** Called before a temporary file is created. */
  def giveRoom(): Unit

  /** Makes room for so many bytes that no tier takes; false if that is not possible. */
  def giveRoom(bytes: Long): Boolean
}
