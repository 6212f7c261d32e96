package org.apache.spark.storage.hpc.cache

import scala.collection.mutable

import org.apache.spark.api.plugin.PluginContext
import org.apache.spark.storage.RDDBlockId
import org.apache.spark.storage.hpc.disk.BlockChecksums

/** A block on disk in a global tier, where every executor can read it, and who wrote it there. */
private[spark] final case class SharedBlock(
    blockId: RDDBlockId,
    executor: String,
    path: String,
    content: BlockChecksums.Content
)

/** The cached blocks of an application that are in global tiers. */
private[spark] trait SharedBlocks {

  /** The block is there, as it was written. */
  def add(block: SharedBlock): Unit

  /** What this executor wrote of the block isn't there any more. */
  def remove(blockId: RDDBlockId, executor: String): Unit

  /** Where the block is. */
  def of(blockId: RDDBlockId): Seq[SharedBlock]

  /** Nobody asks for the RDD's blocks any more; gives those that were there. */
  def forget(rdd: Int): Seq[SharedBlock]
}

/** The driver's list of them. */
private[storage] final class ListedSharedBlocks extends SharedBlocks {
  private val byRdd = new mutable.HashMap[Int, Map[RDDBlockId, Seq[SharedBlock]]]

  override def add(block: SharedBlock): Unit = change(block.blockId, block.executor)(block +: _)

  override def remove(blockId: RDDBlockId, executor: String): Unit =
    change(blockId, executor)(identity)

  private def change(blockId: RDDBlockId, executor: String)(
      put: Seq[SharedBlock] => Seq[SharedBlock]
  ): Unit = synchronized {
    val blocks = byRdd.getOrElse(blockId.rddId, Map.empty)
    val left = put(blocks.getOrElse(blockId, Nil).filter(_.executor != executor))
    val changed = if (left.isEmpty) blocks - blockId else blocks.updated(blockId, left)
    if (changed.isEmpty) byRdd.remove(blockId.rddId) else byRdd.put(blockId.rddId, changed)
  }

  override def of(blockId: RDDBlockId): Seq[SharedBlock] = synchronized {
    byRdd.get(blockId.rddId).flatMap(_.get(blockId)).getOrElse(Nil)
  }

  override def forget(rdd: Int): Seq[SharedBlock] = synchronized {
    byRdd.remove(rdd).toSeq.flatMap(_.values.flatten)
  }
}

/** An executor's way to the driver's list. What it tells arrives before what it asks afterwards. */
private[storage] final class ToldSharedBlocks(driver: PluginContext) extends SharedBlocks {
  import ToldSharedBlocks._

  override def add(block: SharedBlock): Unit = driver.send(Added(block))

  override def remove(blockId: RDDBlockId, executor: String): Unit =
    driver.send(Removed(blockId, executor))

  override def of(blockId: RDDBlockId): Seq[SharedBlock] =
    driver.ask(Question(blockId)).asInstanceOf[Seq[SharedBlock]]

  /** The driver is told by Spark. */
  override def forget(rdd: Int): Seq[SharedBlock] = Nil
}

private[storage] object ToldSharedBlocks {
  sealed trait Message

  private final case class Added(block: SharedBlock) extends Message
  private final case class Removed(blockId: RDDBlockId, executor: String) extends Message
  private final case class Question(blockId: RDDBlockId) extends Message

  /** The driver's part: does what was told, and answers what was asked. */
  def receive(message: Message, blocks: SharedBlocks): AnyRef = message match {
    case Question(blockId) => blocks.of(blockId)
    case Added(block) =>
      blocks.add(block)
      null
    case Removed(blockId, executor) =>
      blocks.remove(blockId, executor)
      null
  }
}
