package org.apache.spark.storage.hpc.scratch

import java.io.{File, IOException}
import java.nio.file.Files
import java.util.concurrent.ConcurrentHashMap

import scala.collection.JavaConverters._

import org.apache.spark.internal.Logging
import org.apache.spark.storage.BlockId

/** Where executors of one node find each other's blocks that aren't at home.
  *
  *  1. Each writes down its directories in its other tiers once, in its first local directory, which
  *     Spark tells the others.
  *  1. A file that isn't as long as the driver was told isn't the block: it is being written, or moved.
  */
private[storage] final class HostLocalTiers extends Logging {
  private val known = new ConcurrentHashMap[String, Seq[File]]

  /** @param home the first local directory of the executor that has the block */
  def find(home: String, blockId: BlockId, length: Long): Option[File] =
    known.computeIfAbsent(home, directoriesOf(_)).map(new File(_, blockId.name))
      .find(_.length == length)

  private def directoriesOf(home: String): Seq[File] = {
    val written = HostLocalTiers.in(home)
    try if (written.isFile) Files.readAllLines(written.toPath).asScala.map(new File(_)).toList
      else Nil
    catch {
      case failure: IOException =>
        logWarning(s"Blocks of the executor whose home is $home are fetched from it: $failure")
        Nil
    }
  }
}

private[storage] object HostLocalTiers extends Logging {
  private def in(home: String): File = new File(home, "tiers")

  /** Others find there what is in these directories. */
  def write(home: File, directories: Seq[File]): Unit =
    try Files.write(in(home.getPath).toPath, directories.map(_.getPath).asJava): Unit
    catch {
      case failure: IOException =>
        logWarning(s"Executors of this node fetch blocks of this one from it: $failure")
    }
}
