package org.apache.spark.storage.hpc.patch

import org.apache.spark.{SPARK_VERSION, SparkException}
import org.apache.spark.hpc.Build
import org.apache.spark.storage.BlockManager
import org.apache.spark.storage.hpc.disk.HpcDiskStore
import org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager
import org.apache.spark.storage.memory.hpc.HpcMemoryStore

/** The objects of one running block manager that the patch replaces.
  *
  * @param components one object per re-pointed constructor, ours or Spark's
  */
private[spark] final class Patch private[storage] (val components: Seq[AnyRef]) {

  /** Those of [[components]] that Spark constructed as its own class. */
  val unpatched: Seq[AnyRef] = components.filterNot {
    case _: HpcBlockManager | _: HpcMemoryStore | _: HpcDiskBlockManager | _: HpcDiskStore => true
    case _ => false
  }

  def patchedComponents: Int = components.size - unpatched.size

  /** Throws one error with its remedy when the patch is in place only in part. */
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
    "Another spark-core jar stands before the patched one on the class path: remove it from " +
      "spark.*.extraClassPath, SPARK_DIST_CLASSPATH and the application's own jars."

  def of(manager: BlockManager): Patch =
    new Patch(Seq(manager, manager.memoryStore, manager.diskBlockManager, manager.diskStore))
}
