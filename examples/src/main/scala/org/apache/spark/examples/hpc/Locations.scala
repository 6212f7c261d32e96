package org.apache.spark.examples.hpc

import java.io.{FileNotFoundException, IOException}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, FileSystem, Path}
import org.apache.hadoop.fs.permission.FsAction

/** Checks the paths of a command line on the driver, before any job starts.
  *
  * Each check either returns the path or throws a [[Refusal]] that names the option, the path and
  * the remedy. Later failures (a file that vanishes, a disk that fills up) are not foreseen here.
  */
final class Locations(conf: Configuration) {

  /** A file, a directory of files or a pattern that matches some. */
  def input(option: String, value: String): Path = at(option, value) { (path, system) =>
    val found = Option(system.globStatus(path)).toSeq.flatten
    if (found.isEmpty) {
      throw Refusal.data(s"$option $value: no such file or directory ($path on ${system.getUri})")
    }
    val files =
      found.flatMap(status => if (status.isDirectory) within(option, status) else Seq(status))
    if (files.isEmpty) {
      throw Refusal.data(s"$option $value: a directory without files; name one that has some")
    }
    files.foreach(file => system.access(file.getPath, FsAction.READ))
    path
  }

  /** One readable file. */
  def file(option: String, value: String): Path = at(option, value) { (path, system) =>
    if (system.getFileStatus(path).isDirectory) {
      throw Refusal.data(s"$option $value: a directory; name one file")
    }
    system.access(path, FsAction.READ)
    path
  }

  /** A path where nothing is yet, below a directory where we may write. */
  def output(option: String, value: String): Path = at(option, value) { (path, system) =>
    if (system.exists(path)) {
      throw Refusal.data(s"$option $value: exists already; remove it or choose another path")
    }
    Iterator
      .iterate(path.getParent)(_.getParent)
      .takeWhile(_ != null)
      .find(system.exists)
      .foreach(parent => system.access(parent, FsAction.WRITE))
    path
  }

  private def within(option: String, directory: FileStatus): Seq[FileStatus] = {
    val path = directory.getPath
    // The names that Hadoop's input formats pass over.
    val visible = path.getFileSystem(conf).listStatus(path).toSeq.filterNot { entry =>
      entry.getPath.getName.startsWith("_") || entry.getPath.getName.startsWith(".")
    }
    visible.find(_.isDirectory).foreach { nested =>
      throw Refusal.data(
        s"$option $path: has a directory inside, ${nested.getPath.getName}; name the files, " +
          s"for example with a pattern such as $path/*.txt"
      )
    }
    visible
  }

  private def at(option: String, value: String)(check: (Path, FileSystem) => Path): Path =
    try {
      val path = new Path(value)
      check(path, path.getFileSystem(conf))
    } catch {
      case _: FileNotFoundException =>
        throw Refusal.data(s"$option $value: no such file or directory")
      case failure @ (_: IOException | _: IllegalArgumentException) =>
        throw Refusal.data(s"$option $value: can't be used: ${OneLine(failure)}")
    }
}
