package org.sparkhpc.tier

import java.io.{File, FileInputStream, InputStream}

/** A file in a tier, of which a [[ScratchFile]] says where it is. */
private[tier] trait TierFile {

  /** Where it is. */
  def place: File

  /** The same, for whoever opens it there: what it holds is what stands there, no more. */
  def path: File

  /** Its bytes, for whoever doesn't open it by its path. */
  def input(): InputStream

  def length: Long
  def exists: Boolean

  /** False if it is still there. */
  def delete(): Boolean

  def renameTo(to: File): Boolean
}

/** A file as the file system has it. */
private[tier] final class PlainFile(val path: File) extends TierFile {
  override def place: File = path
  override def input(): InputStream = new FileInputStream(path)
  override def length: Long = path.length()
  override def exists: Boolean = path.exists()
  override def delete(): Boolean = path.delete()
  override def renameTo(to: File): Boolean = path.renameTo(to)
}
