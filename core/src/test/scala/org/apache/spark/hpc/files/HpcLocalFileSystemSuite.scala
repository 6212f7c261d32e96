package org.apache.spark.hpc.files

import java.nio.charset.StandardCharsets
import java.nio.file.{Files, Path, Paths}

import scala.reflect.io.Directory

import org.apache.hadoop.fs.FileSystem
import org.apache.spark.{SparkConf, SparkContext}
import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.hadoop.ProcessFiles

class HpcLocalFileSystemSuite extends AnyFunSuite {
  private val Count = 10

  /** The opens and hits of two scans of small files in a directory that is said to be shared. */
  private def scans(parent: String, settings: (String, String)*): Seq[(Long, Long)] = {
    val folder = Files.createTempDirectory(Paths.get(parent), "files")
    FileSystem.closeAll() // the next one has these settings
    val conf = new SparkConf(false)
      .setMaster("local[2]")
      .setAppName("files")
      .set("spark.ui.enabled", "false")
      .setAll(settings)
    val sc = new SparkContext(conf)
    try {
      for (number <- 0 until Count) write(folder, number, "a")
      // An old checksum file, such as stock Spark leaves, doesn't fit.
      Files.write(
        folder.resolve(".0.crc"),
        "crc\u0000nonsense".getBytes(StandardCharsets.ISO_8859_1)
      )
      for (text <- Seq("a", "b")) yield {
        val before = ProcessFiles.counts
        val lines = sc.textFile(folder.toString, Count).collect().toSet
        assert(lines == (0 until Count).map(number => s"$text $number").toSet)
        // Of the same size, in the same files.
        write(folder, Count - 1, "b")
        for (number <- 0 until Count) write(folder, number, "b")
        val after = ProcessFiles.counts
        (after.opens - before.opens, after.hits - before.hits)
      }
    } finally {
      sc.stop()
      FileSystem.closeAll()
      Directory(folder.toFile).deleteRecursively(): Unit
    }
  }

  private def write(folder: Path, number: Int, text: String): Unit =
    Files.write(folder.resolve(number.toString), s"$text $number\n".getBytes): Unit

  test("on a shared file system, a file is opened once in each state, by whatever tasks") {
    assert(scans("/dev/shm", "spark.hpc.files.kind" -> "shared").map(_._1) == Seq(Count, Count))
  }

  test("a local file system, and whoever switches it off, has Hadoop's way") {
    assert(scans("/dev/shm", "spark.hpc.files.checksums" -> "never") == Seq((0, 0), (0, 0)))
  }

  test("a file stays open for the tasks that come") {
    val folder = Files.createTempDirectory(Paths.get("/dev/shm"), "files")
    FileSystem.closeAll()
    val conf = new SparkConf(false).setMaster("local[2]").setAppName("files")
      .set("spark.ui.enabled", "false").set("spark.hpc.files.kind", "shared")
    val sc = new SparkContext(conf)
    try {
      write(folder, 0, "a")
      val before = ProcessFiles.counts
      for (_ <- 1 to 3) assert(sc.textFile(folder.resolve("0").toString, 4).count() == 1)
      val after = ProcessFiles.counts
      assert(after.opens - before.opens == 1 && after.hits > before.hits)
    } finally {
      sc.stop()
      FileSystem.closeAll()
      Directory(folder.toFile).deleteRecursively(): Unit
    }
  }
}
