package org.sparkhpc.hadoop

import java.io.{FileNotFoundException, IOException}
import java.nio.file.{
  AccessDeniedException,
  FileSystemException,
  InvalidPathException,
  NoSuchFileException,
  Path,
  Paths
}

import org.apache.hadoop.fs.{FSError, Path => HadoopPath}

/** The exceptions of `java.nio.file` as those that Hadoop's local file system throws. */
private[hadoop] object Failures {

  /** Does the action. If the file isn't there or can't be reached, it throws a FileNotFoundException. */
  def translated[A](path: Path)(action: => A): A =
    try action
    catch {
      case _: NoSuchFileException => throw new FileNotFoundException(s"File $path does not exist")
      case _: AccessDeniedException => throw unreachable(path, "Permission denied")
      case failure: FileSystemException if isUnreachable(failure) =>
        throw unreachable(path, failure.getReason)
      case failure: FileSystemException =>
        throw new IOException(s"$path: ${reason(failure)}", failure)
    }

  /** The path of `java.nio`. A name with characters that the process's locale lacks has none. */
  def path(name: String, of: HadoopPath): Path =
    try Paths.get(name)
    catch {
      case invalid: InvalidPathException =>
        val problem = new FileNotFoundException(
          s"$of: ${invalid.getReason}. If the name is right, set LC_ALL=C.UTF-8 on driver and executors"
        )
        problem.initCause(invalid)
        throw problem
    }

  /** What Hadoop's streams throw if a read or a write fails. Its constructor is for Hadoop's package only. It is no
    * IOException: those mean that a file is damaged, and Spark may be told to leave such files out.
    */
  def broken(failure: IOException): FSError = newError.newInstance(failure)

  private lazy val newError = {
    val constructor = classOf[FSError].getDeclaredConstructor(classOf[Throwable])
    constructor.setAccessible(true)
    constructor
  }

  // These reasons are texts of the C library. In another language, the failure is an IOException.
  private def isUnreachable(failure: FileSystemException): Boolean =
    failure.getReason != null && Unreachable.exists(failure.getReason.startsWith)

  private val Unreachable = Seq(
    "Not a directory",
    "Too many levels of symbolic links",
    "Is a directory",
    "File name too long"
  )

  private def unreachable(path: Path, why: String) = new FileNotFoundException(s"$path ($why)")

  private def reason(failure: FileSystemException): String =
    Option(failure.getReason).getOrElse(failure.getClass.getSimpleName)
}
