package org.apache.spark.storage

import java.io.File
import java.nio.file.Path

/** A temporary file whose place isn't looked for until somebody asks: one that is never written costs
  * the file system no request.
  */
private[storage] final class UnmadeFile(name: String, place: String => File) extends File(name) {
  private var isAsked = false
  private lazy val file = {
    isAsked = true
    place(name)
  }

  override def exists(): Boolean = isAsked && file.exists()
  override def length(): Long = if (isAsked) file.length() else 0
  override def delete(): Boolean = isAsked && file.delete()

  override def renameTo(to: File): Boolean = file.renameTo(to)
  override def getPath: String = file.getPath
  override def getAbsolutePath: String = file.getAbsolutePath
  override def getAbsoluteFile: File = file.getAbsoluteFile
  override def getCanonicalPath: String = file.getCanonicalPath
  override def getCanonicalFile: File = file.getCanonicalFile
  override def getParent: String = file.getParent
  override def getParentFile: File = file.getParentFile
  override def isAbsolute: Boolean = file.isAbsolute
  override def toPath: Path = file.toPath
  override def isFile: Boolean = file.isFile
  override def isDirectory: Boolean = file.isDirectory
  override def lastModified(): Long = file.lastModified()
  override def canRead: Boolean = file.canRead
  override def canWrite: Boolean = file.canWrite
}
