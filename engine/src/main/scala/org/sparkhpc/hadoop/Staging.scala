package org.sparkhpc.hadoop

import org.apache.hadoop.fs.Path

/** What is known of files in the staging directory of a job (`FileCommitProtocol.getStagingDir` of Spark). Names in it are
  * new, and no checksum file is beside them.
  */
private[hadoop] object Staging {
  private val Prefix = "/.spark-staging-"

  /** The id of the job whose staging directory the file is in; None if it is in none. */
  def jobOf(f: Path): Option[String] = {
    val path = f.toUri.getPath
    val at = path.lastIndexOf(Prefix)
    if (at < 0) None
    else Some(path.substring(at + Prefix.length).takeWhile(_ != '/')).filter(_.nonEmpty)
  }
}
