package org.apache.spark.storage.hpc.scratch

import java.io.File

import org.sparkhpc.tier.StandInFile

/** A temporary file whose path is determined when it is first used: a file that is never written costs no file-system
  * request.
  */
private[storage] final class UnmadeFile(name: String, place: String => File)
    extends StandInFile(name) {
  private var isAsked = false
  protected override lazy val now: File = {
    isAsked = true
    place(name)
  }

  override def exists(): Boolean = isAsked && now.exists()
  override def length(): Long = if (isAsked) now.length() else 0
  override def delete(): Boolean = isAsked && now.delete()

  override def renameTo(to: File): Boolean = now.renameTo(to)
}
