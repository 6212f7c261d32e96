package org.apache.spark.storage

import org.apache.spark.{SPARK_VERSION, SparkException}
import org.apache.spark.hpc.Build
import org.apache.spark.storage.memory.HpcMemoryStore

/** The objects of one running block manager that the patch replaces.
  *
  * @param components one object per re-pointed constructor, ours or Spark's
  */
private[spark] final class Patch private (val components: Seq[AnyRef]) {

  /** Those of [[components]] that Spark constructed as its own class. */
  val unpatched: Seq[AnyRef] = components.filterNot {
    case _: HpcBlockManager | _: HpcMemoryStore | _: HpcDiskBlockManager | _: HpcDiskStore => true
    case _ => false
  }

  def patchedComponents: Int = components.size - unpatched.size

  /** Throws one error that names what is missing when only a part of the patch is in place. */
  def requireWhole(): Unit = {
    val build = Build.current
    if (unpatched.nonEmpty || SPARK_VERSION != build.spark) {
      throw new SparkException(
        s"Spark-HPC ${build.version} for Spark ${build.spark} is in place only in part on Spark " +
          s"$SPARK_VERSION: ${unpatched.map(_.getClass.getName).mkString("not patched: ", ", ", "")}. " +
          "A stock spark-core jar stands before the patched one on the class path: remove it from " +
          "spark.*.extraClassPath, SPARK_DIST_CLASSPATH and the application's own jars."
      )
    }
  }
}

private[spark] object Patch {
  def of(manager: BlockManager): Patch =
    new Patch(Seq(manager, manager.memoryStore, manager.diskBlockManager, manager.diskStore))
}
