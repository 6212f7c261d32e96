package org.sparkhpc.tier

import java.io.File
import java.nio.file.Path

/** A File that delegates to another one, which may change. */
abstract class StandInFile(path: String) extends File(path) {

  /** The file that it stands for now. */
  protected def now: File

  override def getPath: String = now.getPath
  override def getAbsolutePath: String = now.getAbsolutePath
  override def getAbsoluteFile: File = now.getAbsoluteFile
  override def getCanonicalPath: String = now.getCanonicalPath
  override def getCanonicalFile: File = now.getCanonicalFile
  override def getParent: String = now.getParent
  override def getParentFile: File = now.getParentFile
  override def isAbsolute: Boolean = now.isAbsolute
  override def toPath: Path = now.toPath
  override def isFile: Boolean = now.isFile
  override def isDirectory: Boolean = now.isDirectory
  override def lastModified(): Long = now.lastModified()
  override def canRead: Boolean = now.canRead
  override def canWrite: Boolean = now.canWrite
}
