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
  private val known = ConcurrentHashMap.newKeySet[BlockId]()

  /** Whether there is time to look at the file system, which may be a slow one. */
  @volatile var mayWait: () => Boolean = () => true

  /** The block was written here: while there is no time to look, it is taken to be there still. */
  def isThere(blockId: BlockId): Unit = known.add(blockId): Unit

  def isKnown(blockId: BlockId): Boolean = known.contains(blockId)

  override def contains(blockId: BlockId): Boolean =
    (isKnown(blockId) && !mayWait()) || super.contains(blockId)

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
    known.remove(blockId)
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
