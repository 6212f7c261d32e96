package org.apache.spark.storage.hpc.scratch

import java.io.File

import org.sparkhpc.tier.StandInFile

/** A temporary file whose place isn't looked for until somebody asks: one that is never written costs
  * the file system no request.
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
