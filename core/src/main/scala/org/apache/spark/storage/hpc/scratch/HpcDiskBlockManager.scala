package org.apache.spark.storage.hpc.scratch

import java.io.File
import java.util.UUID

import org.apache.spark.SparkConf
import org.apache.spark.internal.config._
import org.apache.spark.storage.{DiskBlockManager, TempLocalBlockId, TempShuffleBlockId}
import org.sparkhpc.tier.{Exposure, ScratchUse, Tier, Tiers}

/** Decides where scratch files live: in tiers if there are any ([[ScratchTiers.of]]), otherwise as
  * Spark does.
  *
  * `localDirs` are those of the home tier alone: what hashes into them, Python and other executors
  * among others, finds there what Spark's own streams wrote. Before a shuffle or a sort writes a
  * file, spilled cache blocks give room there if need be.
  */
private[spark] class HpcDiskBlockManager private (
    scratch: Option[ScratchTiers],
    private[storage] val notices: TierNotices,
    conf: SparkConf,
    deleteFilesOnStop: Boolean,
    isDriver: Boolean
) extends DiskBlockManager(
      scratch.fold(if (isDriver) LocalDirectories.checked(conf) else conf)(_.homeConf),
      deleteFilesOnStop,
      isDriver
    ) {

  private def this(
      notices: TierNotices,
      conf: SparkConf,
      deleteFilesOnStop: Boolean,
      isDriver: Boolean
  ) =
    this(
      ScratchTiers.of(conf, notices, outlives = !deleteFilesOnStop),
      notices,
      conf,
      deleteFilesOnStop,
      isDriver
    )

  def this(conf: SparkConf, deleteFilesOnStop: Boolean, isDriver: Boolean) =
    this(new TierNotices, conf, deleteFilesOnStop, isDriver)

  /** None if scratch files live where Spark puts them. */
  val tiers: Option[Tiers] = scratch.map(_.tiers(super.getFile(_), localDirs.toSeq))

  for (tiers <- tiers) {
    val others = tiers.all.filter(_ != tiers.home)
    if (!isDriver && others.nonEmpty)
      HostLocalTiers.write(localDirs.head, others.map(_.directory))
  }

  // Where stock Spark writes as well: nothing is refused that it would do.
  for (
    refusal <- localDirs.toSeq.flatMap(dir => Exposure.refusal(dir.getParentFile.toPath)).distinct
  )
    logWarning(s"spark.local.dir isn't safe from other users: $refusal")

  /** Those of the tiers that other nodes may see as well. */
  def sharedTiers: Seq[Tier] =
    for (scratch <- scratch.toSeq; tiers <- tiers.toSeq; tier <- scratch.shared(tiers)) yield tier

  /** What was decided of the tiers, and why; None without tiers. */
  def decided: Option[String] =
    for (scratch <- scratch; tiers <- tiers) yield scratch.describe(tiers.all)

  // Then Spark makes temporary files at once, with modes that let its shuffle service delete them.
  private val isServed = conf.get(SHUFFLE_SERVICE_ENABLED) &&
    (conf.get(SHUFFLE_SERVICE_REMOVE_SHUFFLE_ENABLED) || conf.get(
      SHUFFLE_SERVICE_FETCH_RDD_ENABLED
    ))

  // Then most of what Spark calls temporary files of a shuffle are never made.
  private val isPlaced =
    conf.get(SHUFFLE_IO_PLUGIN_CLASS).startsWith("org.apache.spark.shuffle.hpc.")

  /** Called before each temporary file is made. */
  @volatile var giveRoom: () => Unit = () => ()

  /** Makes room for so many bytes that no tier takes; false if it couldn't. */
  @volatile var giveRoomFor: Long => Boolean = (_: Long) => false

  override def getFile(filename: String): File =
    tiers.fold(super.getFile(filename))(_.file(filename))

  override def getAllFiles(): Seq[File] =
    super.getAllFiles() ++ tiers.toSeq.flatMap(_.awayFromHome)

  override def createTempLocalBlock(): (TempLocalBlockId, File) = {
    giveRoom()
    tiers.fold(super.createTempLocalBlock()) { tiers =>
      val blockId = TempLocalBlockId(UUID.randomUUID())
      (blockId, tiers.newFile(blockId.name, ScratchUse.Spill))
    }
  }

  override def createTempShuffleBlock(): (TempShuffleBlockId, File) = {
    giveRoom()
    if (isServed) super.createTempShuffleBlock()
    else {
      val blockId = TempShuffleBlockId(UUID.randomUUID())
      tiers match {
        case Some(tiers) => (blockId, tiers.newFile(blockId.name, ScratchUse.Spill))
        case None if isPlaced => (blockId, new UnmadeFile(blockId.name, getFile(_)))
        case None => super.createTempShuffleBlock()
      }
    }
  }

  override private[spark] def stop(): Unit = {
    scratch.foreach(_.closeInMemory())
    tiers.foreach(_.close())
    super.stop()
    scratch.foreach(_.close())
  }
}

private[storage] object HpcDiskBlockManager {

  /** None where tests have a manager of their own making. */
  def of(manager: DiskBlockManager): Option[HpcDiskBlockManager] = manager match {
    case ours: HpcDiskBlockManager => Some(ours)
    case _ => None
  }
}
