package org.apache.spark.storage.hpc.scratch

import java.io.{File, IOException}
import java.nio.file.Files
import java.util.concurrent.ConcurrentHashMap

import scala.collection.JavaConverters._

import org.apache.spark.internal.Logging
import org.apache.spark.storage.BlockId
import org.sparkhpc.tier.Tier

/** Finds blocks of other executors on this node that are not where Spark looks.
  *
  *  1. Each executor lists its directories in its other tiers once, in a file in its first local directory. Spark tells
  *     the other executors this directory.
  *  1. In a global tier, an executor's blocks are in the driver's directory, below the name of the executor's own.
  *  1. A file whose length differs from what the driver was told is not the block: it is being written or moved.
  *
  * @param tiers this executor's
  */
private[storage] final class HostLocalTiers(tiers: Seq[Tier]) extends Logging {
  private val known = new ConcurrentHashMap[String, Seq[File]]

  /** @param home the first local directory of the executor that has the block */
  def find(home: String, blockId: BlockId, length: Long): Option[File] = {
    val others = known.computeIfAbsent(home, directoriesOf(_))
    val all = others ++ forAll(others :+ new File(home).getParentFile)
    all.map(new File(_, blockId.name)).find(_.length == length)
  }

  private def forAll(others: Seq[File]): Seq[File] =
    for {
      tier <- tiers
      mine <- tier.forAll.toSeq
      other <- others if other.getParentFile == tier.directory.getParentFile
    } yield new File(mine.getParentFile, other.getName)

  private def directoriesOf(home: String): Seq[File] = {
    val written = HostLocalTiers.in(home)
    try if (written.isFile) Files.readAllLines(written.toPath).asScala.map(new File(_)).toList
      else Nil
    catch {
      case failure: IOException =>
        logWarning(
          s"Cannot read $written: $failure. That executor's blocks are fetched over the network"
        )
        Nil
    }
  }
}

private[storage] object HostLocalTiers extends Logging {
  private def in(home: String): File = new File(home, "tiers")

  /** Lists these directories in `home`, for the other executors on this node. */
  def write(home: File, directories: Seq[File]): Unit =
    try Files.write(in(home.getPath).toPath, directories.map(_.getPath).asJava): Unit
    catch {
      case failure: IOException =>
        logWarning(
          s"Cannot list the tiers in $home: $failure. Executors on this node fetch blocks " +
            "from this one over the network"
        )
    }
}
