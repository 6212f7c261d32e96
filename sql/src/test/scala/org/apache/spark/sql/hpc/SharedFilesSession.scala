package org.apache.spark.sql.hpc

import java.nio.file.{Files, Path, Paths}

import scala.reflect.io.Directory

import org.apache.hadoop.fs.FileSystem
import org.apache.spark.sql.SparkSession
import org.scalatest.{BeforeAndAfterAll, Suite}

/** A session, and a folder, for which all files are on a shared file system. */
trait SharedFilesSession extends BeforeAndAfterAll { this: Suite =>

  protected lazy val folder: Path = Files.createTempDirectory(Paths.get("/dev/shm"), suiteName)

  protected lazy val spark: SparkSession = {
    FileSystem.closeAll() // the next one has these settings
    SparkSession.builder().master("local[2, 3]").appName(suiteName)
      .config("spark.ui.enabled", "false")
      .config("spark.hpc.files.kind", "shared")
      .config("spark.sql.shuffle.partitions", "2")
      .getOrCreate()
  }

  override protected def afterAll(): Unit =
    try {
      spark.stop()
      FileSystem.closeAll()
      Directory(folder.toFile).deleteRecursively(): Unit
    } finally super.afterAll()
}
