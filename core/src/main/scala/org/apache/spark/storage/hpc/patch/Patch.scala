package org.apache.spark.storage.hpc.patch

import org.apache.spark.{SPARK_VERSION, SparkException}
import org.apache.spark.hpc.Build
import org.apache.spark.storage.BlockManager
import org.apache.spark.storage.hpc.cache.SpillingCache
import org.apache.spark.storage.hpc.disk.HpcDiskStore
import org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager
import org.apache.spark.storage.memory.hpc.HpcMemoryStore

/** The objects of one running block manager that the patch replaces.
  *
  * @param components one object per replaced constructor call: Spark-HPC's, or Spark's where the patch is missing
  */
private[spark] final class Patch private[storage] (val components: Seq[AnyRef]) {

  /** The [[components]] that are of Spark's own class. */
  val unpatched: Seq[AnyRef] = components.filterNot {
    case _: SpillingCache.Owner | _: HpcMemoryStore | _: HpcDiskBlockManager | _: HpcDiskStore =>
      true
    case _ => false
  }

  def patchedComponents: Int = components.size - unpatched.size

  /** Throws one error with the remedy if the patch is in place only in part. */
  def requireWhole(sparkVersion: String = SPARK_VERSION): Unit = {
    val build = Build.current
    if (!build.verified.contains(sparkVersion)) {
      throw new SparkException(
        s"Spark-HPC ${build.version} is made for Spark ${build.verified.mkString(", ")}, but its " +
          s"classes run inside Spark $sparkVersion. ${Patch.Remedy}"
      )
    }
    if (unpatched.nonEmpty) {
      val missing = unpatched.map(_.getClass.getName).mkString(", ")
      throw new SparkException(
        s"Spark-HPC ${build.version} is in place only in part, not patched: $missing. ${Patch.Remedy}"
      )
    }
  }
}

private[spark] object Patch {
  private val Remedy =
    "Another spark-core jar precedes the patched one on the class path: remove it from " +
      "spark.*.extraClassPath, SPARK_DIST_CLASSPATH and the application's own jars."

  def of(manager: BlockManager): Patch =
    new Patch(Seq(manager, manager.memoryStore, manager.diskBlockManager, manager.diskStore))
}
