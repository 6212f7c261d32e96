package org.apache.spark.storage.hpc.scratch

import java.io.File
import java.util.UUID

import org.apache.spark.SparkConf
import org.apache.spark.internal.config._
import org.apache.spark.storage.{DiskBlockManager, TempLocalBlockId, TempShuffleBlockId}
import org.sparkhpc.tier.{Coherences, Exposure, ScratchUse, Tier, Tiers}

/** Decides where scratch files are written: to tiers if there are any ([[ScratchTiers.of]]), otherwise as in stock
  * Spark.
  *
  * `localDirs` are those of the home tier only. Code that computes paths in them by a hash, such as Python's and other
  * executors', finds the files of Spark's own streams there. Before a shuffle or a sort writes a file, spilled cache
  * blocks are deleted if it needs their space.
  */
private[spark] class HpcDiskBlockManager private (
    scratch: Option[ScratchTiers],
    private[storage] val notices: TierNotices,
    conf: SparkConf,
    deleteFilesOnStop: Boolean,
    isDriver: Boolean
) extends DiskBlockManager(
      HpcDiskBlockManager.homeConf(scratch, conf, isDriver),
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

  /** None if scratch files are where Spark puts them. */
  val tiers: Option[Tiers] = scratch.map(_.tiers(super.getFile(_), localDirs.toSeq))

  for (tiers <- tiers) {
    val others = tiers.all.filter(_ != tiers.home)
    if (!isDriver && others.nonEmpty)
      HostLocalTiers.write(localDirs.head, others.map(_.directory))
  }

  // A warning only, since stock Spark writes there as well.
  for (
    refusal <- localDirs.toSeq.flatMap(dir => Exposure.refusal(dir.getParentFile.toPath)).distinct
  )
    logWarning(s"spark.local.dir isn't safe from other users: $refusal")

  /** What is known of the coherence of the file systems that this process uses. */
  val coherences: Coherences = new Coherences

  /** The tiers that other nodes may see as well. */
  def sharedTiers: Seq[Tier] =
    for (scratch <- scratch.toSeq; tiers <- tiers.toSeq; tier <- scratch.shared(tiers)) yield tier

  /** Describes the tiers, and why they were chosen; None without tiers. */
  def decided: Option[String] =
    for (scratch <- scratch; tiers <- tiers) yield scratch.describe(tiers.all)

  // If so, Spark creates temporary files at once, with permissions that let its shuffle service delete them.
  private val isServed = conf.get(SHUFFLE_SERVICE_ENABLED) &&
    (conf.get(SHUFFLE_SERVICE_REMOVE_SHUFFLE_ENABLED) || conf.get(
      SHUFFLE_SERVICE_FETCH_RDD_ENABLED
    ))

  // If so, most files for which Spark requests a temporary shuffle block are never created.
  private val isPlaced =
    conf.get(SHUFFLE_IO_PLUGIN_CLASS).startsWith("org.apache.spark.shuffle.hpc.")

  @volatile private var giver = Option.empty[RoomGiver]

  /** To be called once, by the owner of files in these directories that can be created again. */
  def attach(giver: RoomGiver): Unit = this.giver = Some(giver)

  /** Makes room for so many bytes that no tier takes; false if that is not possible. */
  def giveRoom(bytes: Long): Boolean = giver.exists(_.giveRoom(bytes))

  override def getFile(filename: String): File =
    tiers.fold(super.getFile(filename))(_.file(filename))

  override def getAllFiles(): Seq[File] =
    super.getAllFiles() ++ tiers.toSeq.flatMap(_.awayFromHome)

  override def createTempLocalBlock(): (TempLocalBlockId, File) = {
    giver.foreach(_.giveRoom())
    tiers.fold(super.createTempLocalBlock()) { tiers =>
      val blockId = TempLocalBlockId(UUID.randomUUID())
      (blockId, tiers.newFile(blockId.name, ScratchUse.Spill))
    }
  }

  override def createTempShuffleBlock(): (TempShuffleBlockId, File) = {
    giver.foreach(_.giveRoom())
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

  /** None for another class of manager, as in some tests. */
  def of(manager: DiskBlockManager): Option[HpcDiskBlockManager] = manager match {
    case ours: HpcDiskBlockManager => Some(ours)
    case _ => None
  }

  /** The settings with the home tier's directories. A driver checks Spark's own ones; others exist already. */
  private def homeConf(
      scratch: Option[ScratchTiers],
      conf: SparkConf,
      isDriver: Boolean
  ): SparkConf = {
    val home = scratch.fold(conf)(_.homeConf)
    // If they are full, files may find room in other tiers.
    val hasOthers = scratch.exists(_.hasOthers)
    if (isDriver && (home eq conf)) LocalDirectories.checked(conf, hasOthers) else home
  }
}
