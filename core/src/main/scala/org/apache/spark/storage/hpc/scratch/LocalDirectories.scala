package org.apache.spark.storage.hpc.scratch

import java.io.File

import org.apache.spark.{Refusal, SparkConf}
import org.apache.spark.util.Utils

/** Refuses to start a driver where nothing can be written to any of Spark's local directories: Spark says for each of
  * them that it tried ten times, and ends the process with 53. An executor still ends so, since drivers know what that
  * exit code means.
  */
private[storage] object LocalDirectories {

  /** The settings, of whose directories at least one can be used or made. */
  def checked(conf: SparkConf): SparkConf = {
    val all = Utils.getConfiguredLocalDirs(conf).map(new File(_)).toSeq
    if (all.exists(isUsable)) conf
    else
      throw Refusal(
        s"spark.local.dir is '${all.mkString(",")}' on ${Utils.localHostName()}, where nothing can be written: " +
          s"${all.map(why).distinct.mkString("; ")}. Name a directory of yours with --conf spark.local.dir=DIRECTORY, or in " +
          "SPARK_LOCAL_DIRS, which goes before it"
      )
  }

  private def isUsable(directory: File): Boolean =
    nearest(directory).exists(there =>
      there.isDirectory && there.canWrite && there.getUsableSpace > 0
    )

  private def why(directory: File): String = nearest(directory) match {
    case Some(there) if !there.isDirectory => s"$there is a file"
    case Some(there) if !there.canWrite => s"$there can't be written to"
    case Some(there) => s"the file system of $there is full, or your quota there"
    case None => s"$directory isn't there"
  }

  /** Itself, or what is there of those above it, in which Spark makes it. */
  private def nearest(directory: File): Option[File] =
    Iterator.iterate(directory.getAbsoluteFile)(_.getParentFile).takeWhile(_ != null).find(_.exists)
}
