package org.sparkhpc.hadoop

import org.apache.hadoop.fs.Path

/** What is known of files with names that are new: no checksum file is beside them. These are files in the staging
  * directory of a job (`FileCommitProtocol.getStagingDir` of Spark), and those that a streaming query writes before it
  * renames them into its checkpoint (`CheckpointFileManager`).
  */
private[hadoop] object Staging {
  private val Prefix = "/.spark-staging-"

  private val OfCheckpoint =
    """\..+\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.TID\d+)?\.tmp""".r

  def isNew(f: Path): Boolean = jobOf(f).nonEmpty || isOfCheckpoint(f)

  /** Whether a streaming query writes the file before it renames it into its checkpoint. */
  def isOfCheckpoint(f: Path): Boolean =
    f.getName.endsWith(".tmp") && OfCheckpoint.pattern.matcher(f.getName).matches

  /** The id of the job whose staging directory the file is in; None if it is in none. */
  def jobOf(f: Path): Option[String] = {
    val path = f.toUri.getPath
    val at = path.lastIndexOf(Prefix)
    if (at < 0) None
    else Some(path.substring(at + Prefix.length).takeWhile(_ != '/')).filter(_.nonEmpty)
  }
}
