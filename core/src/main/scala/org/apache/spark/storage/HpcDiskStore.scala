package org.apache.spark.storage

import java.nio.channels.WritableByteChannel
import java.util.concurrent.ConcurrentHashMap

import scala.util.control.NonFatal

import org.apache.spark.{SecurityManager, SparkConf}

/** Writes and reads the blocks that are kept on disk, as Spark does, and knows whether an RDD's
  * block can still be read.
  */
private[spark] class HpcDiskStore(
    conf: SparkConf,
    diskManager: DiskBlockManager,
    securityManager: SecurityManager
) extends DiskStore(conf, diskManager, securityManager) {

  private val checksums = new BlockChecksums
  private val spills = ConcurrentHashMap.newKeySet[BlockId]()

  /** The block was written without its user having asked for it. From now on it is taken to be
    * there without a look at the file system, which may be a slow one.
    */
  def isSpill(blockId: BlockId): Unit = spills.add(blockId): Unit

  override def contains(blockId: BlockId): Boolean =
    spills.contains(blockId) || super.contains(blockId)

  /** What the disk refuses carries a [[DiskTrouble]]; what the block's own elements throw doesn't. */
  override def put(blockId: BlockId)(writeFunc: WritableByteChannel => Unit): Unit = {
    var inContent: Throwable = null
    try
      super.put(blockId) { channel =>
        val faithful =
          if (blockId.isRDD) new checksums.Recorder(blockId, channel)
          else new FaithfulChannel(channel)
        try writeFunc(faithful)
        catch {
          case failure: Throwable =>
            inContent = failure
            throw failure
        }
        faithful.complete()
      }
    catch {
      case NonFatal(failure) if failure ne inContent =>
        DiskTrouble.mark(failure)
        throw failure
    }
  }

  override def remove(blockId: BlockId): Boolean = {
    checksums.forget(blockId)
    spills.remove(blockId)
    super.remove(blockId)
  }

  /** Why a block that this store wrote can't be read as it was written; None if it can. */
  def damage(blockId: BlockId): Option[String] =
    try {
      checksums.verify(blockId, () => getBytes(blockId).toInputStream())
      None
    } catch {
      case NonFatal(failure) => Some(failure.toString)
    }
}
