package org.apache.spark.storage.hpc.scratch

import java.io.File
import java.nio.file.Files

import org.apache.spark.SparkConf
import org.apache.spark.internal.config.{MEMORY_OFFHEAP_ENABLED, MEMORY_OFFHEAP_SIZE}
import org.sparkhpc.tier.{Exposure, MountTable, NodeMemory, ScratchPlan}

/** The node on which this process runs. */
private[storage] final class ThisNode(conf: SparkConf) extends ScratchPlan.Node {
  private val mounts = MountTable.read()

  override def variable(name: String): Option[String] = Option(conf.getenv(name))

  override def fileSystem(directory: File): String = mounts.typeOf(directory).getOrElse("unknown")

  override def device(directory: File): Any = {
    val existing = Iterator.iterate(directory)(_.getParentFile).find(_.exists)
    Files.getAttribute(existing.get.toPath, "unix:dev")
  }

  override def isWritable(directory: File): Boolean = directory.isDirectory && directory.canWrite

  override def refusal(directory: File): Option[String] = Exposure.refusal(directory.toPath)

  /** How many executors of this one's size the node has cores for. */
  val executors: Int = conf.getOption("spark.executor.cores").fold(1) { cores =>
    math.max(1, Runtime.getRuntime.availableProcessors / math.max(1, cores.toInt))
  }

  private def given: Option[String] = Option(conf.getenv("SPARK_HPC_MEMORY"))

  override def isMeantToHaveMemory: Boolean = !given.contains("0")

  override lazy val memory: Long = {
    val heap = Runtime.getRuntime.maxMemory
    val offHeap = if (conf.get(MEMORY_OFFHEAP_ENABLED)) conf.get(MEMORY_OFFHEAP_SIZE) else 0L
    val overhead = math.max(heap / 10, 384L << 20) // as Spark asks of a cluster manager
    // The launcher of this process may give executors less than the control group allows.
    val limits = NodeMemory.limit() ++ given.map(_.toLong)
    if (limits.isEmpty) 0L
    else NodeMemory.share(limits.min, executors, heap, offHeap + overhead)
  }
}

private[spark] object ThisNode {

  /** The id of the batch scheduler's job, from its environment variables. */
  val job: String =
    Seq("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID", "COBALT_JOBID")
      .flatMap(sys.env.get).headOption.map(_.replaceAll("[^A-Za-z0-9.]", "_")).getOrElse("nojob")
}
