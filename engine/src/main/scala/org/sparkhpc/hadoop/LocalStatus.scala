package org.sparkhpc.hadoop

import java.nio.file.{Files, Paths}

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.hadoop.fs.permission.FsPermission
import org.sparkhpc.file.FileFacts

/** The status of a file or directory, from one stat. Owner and group are looked up when they are asked for: names may
  * come from a directory service, and hardly anybody asks.
  */
private[hadoop] final class LocalStatus(facts: FileFacts, blockSize: Long, path: Path)
    extends FileStatus(
      facts.size,
      facts.isDirectory,
      1,
      blockSize,
      facts.modified.toMillis,
      facts.accessed.toMillis,
      new FsPermission((facts.mode & LocalStatus.Permissions).toShort),
      null,
      null,
      path
    ) {

  override def getOwner: String = {
    load()
    super.getOwner
  }

  override def getGroup: String = {
    load()
    super.getGroup
  }

  /** What is sent elsewhere has the names: they are this node's. */
  private def writeReplace(): AnyRef = {
    load()
    new FileStatus(this)
  }

  private def load(): Unit = synchronized {
    if (super.getOwner.isEmpty) {
      val names = Files.readAttributes(Paths.get(getPath.toUri.getPath), "posix:owner,group")
      setOwner(names.get("owner").toString)
      setGroup(names.get("group").toString)
    }
  }
}

private object LocalStatus {
  private val Permissions = 0xfff
}
