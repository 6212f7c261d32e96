package org.sparkhpc.hadoop

import java.util.concurrent.TimeUnit

import com.google.common.cache.CacheBuilder
import org.apache.hadoop.fs.Path

/** The files that this process has made without checksum files, to be renamed into a checkpoint. Their names have a
  * UUID. They are remembered for a minute: Spark looks for a checksum file of each after the rename.
  */
private[hadoop] final class CheckpointFiles {
  import CheckpointFiles._

  private val made =
    CacheBuilder.newBuilder.maximumSize(Most).expireAfterWrite(1, TimeUnit.MINUTES).build[
      Path,
      Path
    ]

  /** Remembers the file if it is one. */
  def add(f: Path): Unit = if (Staging.isOfCheckpoint(f)) made.put(f, f)

  /** Whether `f` would be the checksum file of one of them. */
  def haveNo(f: Path): Boolean = {
    val name = f.getName
    name.endsWith(SumsEnd) && made.getIfPresent(fileOf(f, name)) != null
  }
}

private object CheckpointFiles {
  private val Most = 1000L
  private val Sums = ".crc"
  private val SumsEnd = s".tmp$Sums"

  private def fileOf(sums: Path, name: String): Path =
    new Path(sums.getParent, name.substring(1, name.length - Sums.length))
}
