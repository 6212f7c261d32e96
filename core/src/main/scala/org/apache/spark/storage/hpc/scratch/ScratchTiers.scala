package org.apache.spark.storage.hpc.scratch

import java.io.{File, IOException}
import java.net.InetAddress

import org.apache.spark.{Refusal, SparkConf}
import org.apache.spark.internal.Logging
import org.apache.spark.internal.config.{Hpc, PUSH_BASED_SHUFFLE_ENABLED, SHUFFLE_IO_PLUGIN_CLASS}
import org.apache.spark.internal.config.SHUFFLE_USE_OLD_FETCH_PROTOCOL
import org.apache.spark.internal.config.Tests.IS_TESTING
import org.apache.spark.util.{ShutdownHookManager, Utils}
import org.apache.spark.util.ShutdownHookManager.TEMP_DIR_SHUTDOWN_PRIORITY
import org.sparkhpc.file.DescriptorLimit
import org.sparkhpc.tier._

/** Creates and removes the directories of a process in the tiers of `spark.hpc.scratch.tiers`.
  *
  * @param plan the tiers that were chosen
  * @param by the setting or the site that asked for them
  * @param made one directory per tier of the plan; None where the tier has Spark's own directories
  */
private[storage] final class ScratchTiers private (
    conf: SparkConf,
    plan: ScratchPlan,
    by: String,
    made: Seq[Option[ScratchTiers.Made]],
    node: ThisNode,
    notices: TierNotices
) extends Logging {
  import ScratchTiers.{hasContainers, MostSpares}

  private val directories = made.map(_.map(_.directory))

  /** The settings for Spark's disk block manager: its local directories are those of the home tier. */
  def homeConf: SparkConf =
    directories(plan.home).fold(conf)(home => new ScratchConf(conf, home.path.toString))

  /** Whether there are tiers besides the home tier. */
  def hasOthers: Boolean = plan.tiers.size > 1

  /** @param atHome gives the file of a name in Spark's own directories */
  def tiers(atHome: String => File, sparkDirs: => Seq[File]): Tiers = {
    lazy val tiers: Tiers = new Tiers(all, all(plan.home), notices.tell(_))
    lazy val all: Seq[Tier] = plan.tiers.indices.map { i =>
      val places = directories(i).fold(sparkDirs)(d => Seq(d.path.toFile))
      def others(in: Seq[File]) = Some(UncountedBytes(in, tiers.isCounted(_)))
      if (i == plan.home) tier(i, places, others(places))(atHome)
      else tier(i, places, others(places.map(new File(_, "python"))))(new File(places.head, _))
    }
    logInfo(describe(all))
    plan.unused.foreach(notices.tell(_))
    if (node.isMeantToHaveMemory)
      all.filter(_.capacity == 0).foreach(tier => notices.tell(tier.notUsed))
    // Stripes of the other directories were set when these were created.
    if (directories.exists(_.isEmpty) && hasContainers(conf)) {
      for (directory <- sparkDirs) {
        val fileSystem = Some(node.fileSystem(directory))
        Stripes.ofContainers(directory.toPath, None, fileSystem).foreach(logInfo(_))
      }
    }
    tiers
  }

  private def tier(i: Int, places: Seq[File], uncounted: => Option[UncountedBytes])(
      path: String => File
  ): Tier = {
    val planned = plan.tiers(i)
    val granted = planned.capacity.map(_ / node.executors).getOrElse {
      if (planned.isInMemory) node.memory / sharersOfMemory else Long.MaxValue
    }
    val limit = FileSystemSize.cap(granted, places)
    // The last tier has no reserve: only a full disk fails a task there, as in Spark.
    val room =
      if (i == plan.tiers.size - 1) None else Some(new ScratchRoom(places, planned.reserve))
    // Without a limit, bytes need not be counted: the file system knows how full it is.
    val others = if (limit == Long.MaxValue) None else uncounted
    new Tier(
      planned.label,
      planned.fileSystem,
      planned.kind,
      places.head,
      limit,
      room,
      others,
      // Not with a limit: files that are kept for later spills would use up some of the counted bytes.
      if (planned.kind == FileSystemKind.Shared && limit == Long.MaxValue) spares(places.head)
      else None
    )(path)
  }

  private def spares(directory: File): Option[SpareFiles] = {
    val descriptors = DescriptorLimit.ofProcess.getOrElse(1024L)
    val most = math.min(MostSpares, descriptors / 8).toInt
    Some(conf.get(Hpc.SCRATCH_KEPT)).filter(_ > 0).map(new SpareFiles(directory, most, _))
  }

  private def sharersOfMemory: Int =
    plan.tiers.count(tier => tier.isInMemory && tier.capacity.isEmpty)

  /** The tiers on a shared file system whose directories were created here. */
  def shared(tiers: Tiers): Seq[Tier] =
    tiers.all.zip(directories).collect {
      case (tier, Some(_)) if tier.kind == FileSystemKind.Shared => tier
    }

  /** Describes the tiers, and why they were chosen, for people. */
  def describe(tiers: Seq[Tier]): String = {
    val lines = tiers.zipWithIndex.map { case (tier, i) =>
      val size =
        if (tier.capacity == Long.MaxValue) "as much as is free"
        else s"at most ${Utils.bytesToString(tier.capacity)}"
      val home = if (i == plan.home) "; Spark's own shuffle files go here" else ""
      s"  ${i + 1}. $tier, $size$home"
    }
    (s"Scratch tiers, by $by:" +: lines)
      .++(plan.notes.map("  " + _)).mkString("\n")
  }

  /** Deletes the directories in memory, without a request to any other file system. */
  def closeInMemory(): Unit = made.flatten.filter(_.isInMemory).foreach(_.close())

  def close(): Unit = made.flatten.foreach(_.close())
}

private[storage] object ScratchTiers extends Logging {

  /** A directory that is deleted when its process ends, if not before. Spark's own list of such directories is not
    * used: if tasks still write, its deletion leaves files without the `owner` file. Directories in memory are deleted
    * before anything that may wait for a shared file system, such as Spark's hook for its local directories: if the
    * process were killed meanwhile, they would keep node memory.
    */
  final class Made(val directory: ScratchDirectory, val isInMemory: Boolean) {
    private val hook =
      ShutdownHookManager.addShutdownHook(TEMP_DIR_SHUTDOWN_PRIORITY + (if (isInMemory) 2 else 0)) {
        () => directory.close()
      }

    def close(): Unit = {
      directory.close()
      ShutdownHookManager.removeShutdownHook(hook): Unit
    }
  }

  /** The tiers that the setting names, or else those that the site offers or that Spark's local directories are. None
    * if Spark writes as in stock Spark.
    *
    * @param notices receives what an operator should know about the tiers
    * @param outlives whether shuffle outputs stay when this process ends, for others to serve them
    */
  def of(conf: SparkConf, notices: TierNotices, outlives: Boolean): Option[ScratchTiers] = {
    val node = new ThisNode(conf)
    val known = FileSystemKind.named(conf.get(Hpc.SCRATCH_KIND))
    lazy val offered =
      if (unservable(conf).isEmpty) ScratchPlan.offered(node, sparkDirs(conf)) else ScratchPlan(Nil)
    val decided = conf.get(Hpc.SCRATCH) match {
      case Some(value) => Some(asked(conf, value, node) -> s"${Hpc.SCRATCH.key}=$value")
      case None if offered.tiers.size > 1 => Some(offered -> ScratchPlan.Offered)
      case None =>
        offered.notes.foreach(logInfo(_))
        offered.unused.foreach(notices.tell(_))
        ScratchPlan.unasked(node, sparkDirs(conf), known)
          .map(_ -> "the file system of spark.local.dir")
    }
    decided.map { case (plan, by) =>
      val made = plan.tiers.zipWithIndex.map { case (tier, i) =>
        tier.directory.map(create(_, tier, by, outlives && i == plan.home, hasContainers(conf)))
      }
      new ScratchTiers(conf, plan, by, made, node, notices)
    }
  }

  private def asked(conf: SparkConf, value: String, node: ThisNode): ScratchPlan = {
    refuseUnservable(conf, value)
    (if (value == "auto") Right(auto(conf, node)) else listed(value, node)).fold(
      wrong => throw Refusal(s"${Hpc.SCRATCH.key} is '$value': $wrong"),
      identity
    )
  }

  private def refuseUnservable(conf: SparkConf, value: String): Unit =
    for (key <- unservable(conf))
      throw Refusal(
        s"$key is 'true', but with ${Hpc.SCRATCH.key}=$value shuffle outputs are in directories " +
          s"that no other service can enter: set $key=false, or leave ${Hpc.SCRATCH.key} out"
      )

  /** The setting by which other services read shuffle outputs, if one is on. Spark's own tests may set both, for block
    * managers that nothing is fetched from.
    */
  private def unservable(conf: SparkConf): Option[String] =
    Unservable.find(conf.getBoolean(_, defaultValue = false))
      .filter(_ => !conf.get(IS_TESTING).contains(true))

  // A task that merges reads some dozens of spills.
  private val MostSpares = 256L

  // Services of other users, or of Spark 2, look for files in Spark's own places.
  private val Unservable = Seq(PUSH_BASED_SHUFFLE_ENABLED.key, SHUFFLE_USE_OLD_FETCH_PROTOCOL.key)

  private def listed(value: String, node: ThisNode): Either[String, ScratchPlan] =
    ScratchList.parse(value).flatMap(ScratchPlan.of(_, node))

  private def auto(conf: SparkConf, node: ThisNode): ScratchPlan = {
    val isChosen = conf.contains("spark.local.dir") ||
      Chosen.exists(name => conf.getenv(name) != null)
    ScratchPlan.auto(node, sparkDirs(conf), isChosen)
  }

  private def sparkDirs(conf: SparkConf): Seq[File] =
    Utils.getConfiguredLocalDirs(conf).map(new File(_)).toSeq

  private val Chosen = Seq("SPARK_LOCAL_DIRS", "SPARK_EXECUTOR_DIRS", "CONTAINER_ID")

  /** Whether containers of map outputs may be written to the tiers. */
  private def hasContainers(conf: SparkConf): Boolean =
    conf.get(SHUFFLE_IO_PLUGIN_CLASS).startsWith("org.apache.spark.shuffle.hpc.") &&
      !conf.getOption(Hpc.SHUFFLE_PLACEMENT.key).contains("global")

  private def create(
      parent: File,
      tier: PlannedTier,
      by: String,
      outlives: Boolean,
      hasContainers: Boolean
  ): Made =
    try {
      val ledger = NodeLedger.here.filter(_ => tier.kind == FileSystemKind.Shared)
      val directory = ScratchDirectory.create(parent, ThisNode.job, outlives, ledger)
      val made = new Made(directory, tier.isInMemory)
      for (some <- Exposure.warning(parent.toPath)) logWarning(s"$by: $some")
      // Directories that the site offers are new: a process on the node created them for this job.
      for (gone <- directory.sweep(tier.kind, isNew = by == ScratchPlan.Offered))
        logInfo(s"Deleted $gone: the process that created it has ended")
      val fileSystem = Some(tier.fileSystem).filter(_ => hasContainers)
      Stripes.ofContainers(directory.path, tier.stripes, fileSystem).foreach(logInfo(_))
      made
    } catch {
      case failure: IOException =>
        throw Refusal(
          s"$by names ${tier.label}:$parent, where no directory can be made on " +
            s"${InetAddress.getLocalHost.getHostName}: ${failure.getMessage}. Name another directory, or leave " +
            s"the tier out${tier.stripes.fold("")(n => s"; stripes=$n needs Lustre and its command lfs")}"
        )
    }
}
