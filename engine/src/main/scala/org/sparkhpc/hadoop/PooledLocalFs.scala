package org.sparkhpc.hadoop

import java.io.{FileNotFoundException, IOException}
import java.net.URI

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{DelegateToFileSystem, FsServerDefaults, Path}
import org.apache.hadoop.fs.local.LocalConfigKeys

/** The file system for `file:` of programs that use Hadoop's `FileContext`: a [[PooledLocalFileSystem]].
  *
  * A file that is renamed over another one takes its place at once. Hadoop's own deletes the old one first.
  */
class PooledLocalFs(uri: URI, files: PooledLocalFileSystem, conf: Configuration)
    extends DelegateToFileSystem(uri, files, conf, "file", false) {

  override def getUriDefaultPort: Int = -1

  override def isValidName(name: String): Boolean = true

  override def getServerDefaults: FsServerDefaults = LocalConfigKeys.getServerDefaults

  override def getServerDefaults(f: Path): FsServerDefaults = LocalConfigKeys.getServerDefaults

  override def renameInternal(from: Path, to: Path, overwrite: Boolean): Unit =
    if (overwrite && from != to && isFile(from) && isFile(to)) renameInternal(from, to)
    else super.renameInternal(from, to, overwrite)

  override def renameInternal(from: Path, to: Path): Unit =
    if (!files.rename(from, to)) throw new IOException(s"$from couldn't be renamed to $to")

  private def isFile(f: Path): Boolean =
    try getFileLinkStatus(f).isFile
    catch { case _: FileNotFoundException => false }
}
