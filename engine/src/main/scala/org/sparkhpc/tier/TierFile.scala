package org.sparkhpc.tier

import java.io.{File, FileInputStream, InputStream}

/** The present place of a [[ScratchFile]] in a tier. */
private[tier] trait TierFile {

  /** Its path, for callers that don't open it there. */
  def place: File

  /** Its path, for callers that open it there: the file on disk then has its bytes and no others. */
  def path: File

  /** Its bytes, for callers that don't open it by its path. */
  def input(): InputStream

  def length: Long
  def exists: Boolean

  /** False if it is still there. */
  def delete(): Boolean

  def renameTo(to: File): Boolean
}

/** An ordinary file of the file system. */
private[tier] final class PlainFile(val path: File) extends TierFile {
  override def place: File = path
  override def input(): InputStream = new FileInputStream(path)
  override def length: Long = path.length()
  override def exists: Boolean = path.exists()
  override def delete(): Boolean = path.delete()
  override def renameTo(to: File): Boolean = path.renameTo(to)
}
