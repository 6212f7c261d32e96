package org.sparkhpc.e2e

import java.io.IOException
import java.nio.file.{FileVisitResult, Files, Path, SimpleFileVisitor}
import java.nio.file.attribute.BasicFileAttributes

import scala.collection.mutable

/** The files of a directory that others make and delete meanwhile. */
object FilesBelow {

  /** All of them, at whatever depth, by name; without those that went while it looked. */
  def apply(top: Path): Seq[Path] = {
    val files = mutable.Buffer.empty[Path]
    val look = new SimpleFileVisitor[Path] {
      override def visitFile(file: Path, is: BasicFileAttributes): FileVisitResult = {
        files += file
        FileVisitResult.CONTINUE
      }
      override def visitFileFailed(file: Path, gone: IOException): FileVisitResult =
        FileVisitResult.CONTINUE
      override def postVisitDirectory(at: Path, gone: IOException): FileVisitResult =
        FileVisitResult.CONTINUE
    }
    Files.walkFileTree(top, look)
    files.toList.sorted
  }
}
