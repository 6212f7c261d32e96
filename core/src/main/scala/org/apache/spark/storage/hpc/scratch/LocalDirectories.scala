package org.apache.spark.storage.hpc.scratch

import java.io.File

import org.apache.spark.{Refusal, SparkConf}
import org.apache.spark.util.Utils

/** Refuses to start a driver if none of Spark's local directories is writable. Stock Spark reports ten attempts for
  * each directory, and then ends the process with exit code 53. Executors still do that, since drivers know the code.
  */
private[storage] object LocalDirectories {

  /** Returns the settings if at least one of their directories can be used or created.
    *
    * @param mayBeFull whether a directory without free space is of use
    */
  def checked(conf: SparkConf, mayBeFull: Boolean = false): SparkConf = {
    val all = Utils.getConfiguredLocalDirs(conf).map(new File(_)).toSeq
    if (all.exists(isUsable(_, mayBeFull))) conf
    else
      throw Refusal(
        s"spark.local.dir is '${all.mkString(",")}' on ${Utils.localHostName()}, where nothing can be written: " +
          s"${all.map(why).distinct.mkString("; ")}. Name a directory of yours with --conf " +
          "spark.local.dir=DIRECTORY, or in SPARK_LOCAL_DIRS, which takes precedence"
      )
  }

  private def isUsable(directory: File, mayBeFull: Boolean): Boolean =
    nearest(directory).exists(there =>
      there.isDirectory && there.canWrite && (mayBeFull || there.getUsableSpace > 0)
    )

  private def why(directory: File): String = nearest(directory) match {
    case Some(there) if !there.isDirectory => s"$there is a file"
    case Some(there) if !there.canWrite => s"$there can't be written to"
    case Some(there) => s"the file system of $there is full, or your quota there"
    case None => s"$directory does not exist"
  }

  /** The directory itself, or its nearest existing parent, in which Spark creates it. */
  private def nearest(directory: File): Option[File] =
    Iterator.iterate(directory.getAbsoluteFile)(_.getParentFile).takeWhile(_ != null).find(_.exists)
}
