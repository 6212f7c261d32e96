package org.apache.spark.storage

import java.io.{File, IOException}
import java.net.InetAddress

import org.apache.spark.SparkConf
import org.apache.spark.hpc.tier._
import org.apache.spark.internal.Logging
import org.apache.spark.internal.config.Hpc
import org.apache.spark.util.{ShutdownHookManager, Utils}

/** The directories of a process in the tiers of `spark.hpc.scratch`, made and removed.
  *
  * @param plan what was decided
  * @param directories one per tier of the plan; None where they are Spark's own
  */
private[storage] final class ScratchTiers private (
    conf: SparkConf,
    plan: ScratchPlan,
    directories: Seq[Option[ScratchDirectory]],
    node: ThisNode
) extends Logging {

  /** What Spark's disk block manager is to read: its directories are those of the home tier. */
  def homeConf: SparkConf =
    directories(plan.home).fold(conf)(home => new ScratchConf(conf, home.path.toString))

  /** @param atHome the file of a name in Spark's own directories */
  def tiers(atHome: String => File, sparkDirs: => Seq[File]): Tiers = {
    val inMemory = plan.tiers.count(tier => isInMemory(tier) && tier.capacity.isEmpty)
    val all = plan.tiers.zip(directories).zipWithIndex.map { case ((tier, directory), i) =>
      val places = directory.fold(sparkDirs)(d => Seq(d.path.toFile))
      val limit = tier.capacity.map(_ / node.executors).getOrElse {
        if (isInMemory(tier)) node.memory / inMemory else Long.MaxValue
      }
      // In the last tier only a full disk ends a task, as in Spark.
      val room =
        if (i == plan.tiers.size - 1) None else Some(new ScratchRoom(places, tier.reserve))
      val path = (name: String) =>
        if (i == plan.home) atHome(name) else new File(places.head, name)
      new Tier(tier.label, tier.fileSystem, tier.kind, places.head, limit, room)(path)
    }
    logInfo(description(all))
    new Tiers(all, all(plan.home), logWarning(_))
  }

  private def isInMemory(tier: PlannedTier): Boolean = tier.kind == FileSystemKind.Memory

  private def description(tiers: Seq[Tier]): String = {
    val lines = tiers.zipWithIndex.map { case (tier, i) =>
      val size =
        if (tier.capacity == Long.MaxValue) "as much as is free"
        else s"at most ${Utils.bytesToString(tier.capacity)}"
      val home = if (i == plan.home) "; shuffle outputs and PySpark's spills go here" else ""
      s"  ${i + 1}. $tier, $size$home"
    }
    (s"Scratch tiers, by ${Hpc.SCRATCH.key}=${conf.get(Hpc.SCRATCH).get}:" +: lines)
      .++(plan.notes.map("  " + _)).mkString("\n")
  }

  def close(): Unit =
    directories.flatten.foreach { directory =>
      directory.close()
      ShutdownHookManager.removeShutdownDeleteDir(directory.path.toFile)
    }
}

private[storage] object ScratchTiers extends Logging {

  /** What the setting asks for; None if it asks for nothing.
    *
    * @param outlives whether shuffle outputs stay when this process ends, for others to serve them
    */
  def of(conf: SparkConf, outlives: Boolean): Option[ScratchTiers] =
    conf.get(Hpc.SCRATCH).map { value =>
      val node = new ThisNode(conf)
      val plan = (if (value == "auto") Right(auto(conf, node)) else listed(value, node)).fold(
        wrong => throw new IllegalArgumentException(s"${Hpc.SCRATCH.key} is '$value': $wrong"),
        identity
      )
      val made = plan.tiers.zipWithIndex.map { case (tier, i) =>
        tier.directory.map(create(_, tier, outlives && i == plan.home))
      }
      new ScratchTiers(conf, plan, made, node)
    }

  private def listed(value: String, node: ThisNode): Either[String, ScratchPlan] =
    ScratchList.parse(value).flatMap(ScratchPlan.of(_, node))

  private def auto(conf: SparkConf, node: ThisNode): ScratchPlan = {
    val own = Utils.getConfiguredLocalDirs(conf).map(new File(_)).toSeq
    val isChosen = conf.contains("spark.local.dir") ||
      Chosen.exists(name => conf.getenv(name) != null)
    ScratchPlan.auto(node, own, isChosen)
  }

  private val Chosen = Seq("SPARK_LOCAL_DIRS", "SPARK_EXECUTOR_DIRS", "CONTAINER_ID")

  private def create(parent: File, tier: PlannedTier, outlives: Boolean): ScratchDirectory =
    try {
      val directory = ScratchDirectory.create(parent, ThisNode.job, outlives)
      if (!outlives) ShutdownHookManager.registerShutdownDeleteDir(directory.path.toFile)
      for (gone <- directory.sweep(tier.kind))
        logInfo(s"Deleted $gone: the process that made it is gone")
      directory
    } catch {
      case failure: IOException =>
        throw new IllegalArgumentException(
          s"${Hpc.SCRATCH.key} names ${tier.label}:$parent, where no directory can be made on " +
            s"${InetAddress.getLocalHost.getHostName}: $failure. Name one that can, or leave it out",
          failure
        )
    }
}
