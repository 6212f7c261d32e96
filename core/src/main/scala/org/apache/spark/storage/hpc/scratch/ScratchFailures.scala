package org.apache.spark.storage.hpc.scratch

import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.LastWords
import org.apache.spark.internal.Logging
import org.apache.spark.internal.config.Hpc
import org.apache.spark.scheduler.{
  JobFailed,
  SparkListener,
  SparkListenerExecutorRemoved,
  SparkListenerJobEnd
}

/** Sets the driver's [[LastWords]] if its last job failed because of scratch storage. Spark itself reports such a
  * failure by the stack traces of four attempts.
  *
  * @param isGlobal whether map outputs go to the shared directory
  */
private[storage] final class ScratchFailures(isGlobal: Boolean) extends SparkListener {
  import ScratchFailures._

  override def onJobEnd(end: SparkListenerJobEnd): Unit = end.jobResult match {
    case JobFailed(failure) => in(failure.getMessage, isGlobal).foreach(LastWords.set(_))
    case _ => LastWords.forget()
  }

  override def onExecutorRemoved(removed: SparkListenerExecutorRemoved): Unit =
    if (NoDirectory.exists(removed.reason.contains(_))) hasNoDirectory(removed.executorId, None)
}

private[spark] object ScratchFailures extends Logging {
  private val warnedOf = ConcurrentHashMap.newKeySet[String]()

  /** An executor could make none of its scratch directories. The log says so at once, and once for each host: a
    * standalone master may start such executors again without end.
    */
  def hasNoDirectory(executorId: String, host: Option[String]): Unit = {
    val where = host.fold("its node")(name => s"its node, $name")
    val words =
      s"executor $executorId could write to no directory of spark.local.dir or SPARK_LOCAL_DIRS on $where; its log " +
        s"names them. $OfLocal"
    LastWords.set(words)
    if (warnedOf.add(where)) logWarning(words.capitalize)
  }

  /** One line that explains a job's failure, with the remedy; None if scratch storage was not the cause. */
  def in(failure: String, isGlobal: Boolean): Option[String] = {
    val lines = Option(failure).toSeq.flatMap(_.linesIterator)
    val where = lines.flatMap(Lost.findFirstMatchIn(_)).headOption
      .fold("")(its => s" (executor ${its.group(2)} on ${its.group(1)})")
    lines.find(_.contains(NoTier)).map(line => line.substring(line.indexOf(NoTier)) + where)
      .orElse(refused(lines, where, isGlobal))
  }

  private def refused(lines: Seq[String], where: String, isGlobal: Boolean): Option[String] =
    for {
      line <- lines.find(Reason.findFirstIn(_).nonEmpty)
      reason <- Reason.findFirstIn(line)
      // The first frame of Spark or Hadoop shows who wrote the file: it may be a file of the program.
      frame <-
        lines.dropWhile(_ != line).flatMap(Frame.findFirstMatchIn(_)).headOption.map(_.group(1))
      if Writers.exists(frame.startsWith(_))
    } yield
      if (isGlobal && frame.startsWith(OfContainers))
        s"spark.hpc.shuffle.directory refused a write: $reason$where. $OfShared"
      else s"spark.local.dir refused a write: $reason$where. $OfLocal"

  private val NoDirectory = Seq("Failed to create local directory", "exited with code 53")
  private val NoTier = "No scratch tier takes "
  private val Lost = raw"Lost task \S+ in stage \S+ \(TID \d+\) \((\S+) executor ([^)]+)\)".r
  private val Reason =
    raw"(/\S+ \()?(No space left on device|Disk quota exceeded|Read-only file system|Permission denied)\)?".r
  private val Frame = raw"\tat (org\.(?:apache\.spark|apache\.hadoop|sparkhpc)\.[\w.$$]+)\(".r

  private val OfContainers = "org.sparkhpc.container."
  private val Writers = Seq(
    OfContainers,
    "org.sparkhpc.tier.",
    "org.apache.spark.storage.DiskBlock",
    "org.apache.spark.storage.DiskStore",
    "org.apache.spark.storage.hpc.disk.HpcDiskStore",
    "org.apache.spark.storage.hpc.spill.TieredWriter",
    "org.apache.spark.storage.TimeTrackingOutputStream",
    "org.apache.spark.shuffle.IndexShuffleBlockResolver",
    "org.apache.spark.shuffle.sort.io.",
    "org.apache.spark.util.collection.unsafe.sort.UnsafeSorterSpillWriter"
  )

  private val OfLocal =
    s"Name a directory with more room in spark.local.dir (in SPARK_LOCAL_DIRS, if that is set), or several tiers in " +
      Hpc.SCRATCH.key
  private val OfShared =
    s"Free space there, name a directory on another file system, or unset ${Hpc.SHUFFLE_PLACEMENT.key}=global"
}
