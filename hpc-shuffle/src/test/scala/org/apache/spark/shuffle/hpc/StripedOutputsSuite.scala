package org.apache.spark.shuffle.hpc

import java.nio.file.{Files, Path, Paths}
import java.nio.file.attribute.PosixFilePermissions

import scala.collection.JavaConverters._

import org.apache.commons.io.FileUtils
import org.apache.spark.SparkConf
import org.apache.spark.shuffle.hpc.place.SharedDirectory
import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.tier.MountTable

/** Over how many targets of Lustre an application's map outputs are, by a command that stands in for
  * `lfs` and a mount table that stands in for a node's.
  */
class StripedOutputsSuite extends AnyFunSuite {

  /** With a folder that is on such a file system, and what `lfs setstripe` is told. */
  private def on(
      fileSystem: String,
      exit: Int = 0
  )(test: (Path, MountTable, String) => Unit): Unit = {
    val temporary = Files.createDirectories(Paths.get(System.getProperty("java.io.tmpdir")))
    val folder = Files.createTempDirectory(temporary, "striped").toRealPath()
    try {
      val lines = Seq(
        "#!/bin/sh",
        "[ $1 = getstripe ] && echo 'stripe_count: 1 stripe_size: 1048576' && exit",
        s"echo $$* >>$folder/said",
        s"echo 'cannot create layout' >&2; exit $exit"
      )
      val lfs = Files.write(folder.resolve("lfs"), lines.asJava)
      Files.setPosixFilePermissions(lfs, PosixFilePermissions.fromString("rwx------"))
      val mounts = MountTable.parse(Seq(s"36 35 98:0 / $folder rw - $fileSystem dev rw"))
      test(folder, mounts, lfs.toString)
    } finally FileUtils.deleteDirectory(folder.toFile)
  }

  private def confOf(directory: String): SparkConf = {
    val conf = new SparkConf(false).set("spark.hpc.shuffle.placement", "global")
      .set("spark.hpc.shuffle.directory", directory)
    SharedSettings.prepare(conf)
    conf
  }

  private def said(folder: Path): Seq[String] = {
    val file = folder.resolve("said")
    if (Files.exists(file)) Files.readAllLines(file).asScala else Nil
  }

  private def applications(folder: Path): Seq[Path] = {
    val all = Files.newDirectoryStream(folder, "spark-hpc-*")
    try all.asScala.toList
    finally all.close()
  }

  test(
    "the application's directory on a Lustre is spread over 4 targets, or as many as asked for"
  ) {
    for ((suffix, count) <- Seq("" -> "4", "?stripes=9" -> "9", "?stripes=-1" -> "-1"))
      on("lustre") { (folder, mounts, lfs) =>
        val outputs = SharedDirectory.create(confOf(s"$folder$suffix"), mounts, lfs)
        val Seq(made) = applications(folder)
        assert(said(folder) == Seq(s"setstripe -c $count $made"))
        outputs.remove()
      }
  }

  test("elsewhere no command is run, unless the user says so") {
    on("gpfs") { (folder, mounts, lfs) =>
      SharedDirectory.create(confOf(folder.toString), mounts, lfs).remove()
      assert(said(folder).isEmpty)
    }
  }

  test("a default that can't be ends no application") {
    on("lustre", exit = 1) { (folder, mounts, lfs) =>
      SharedDirectory.create(confOf(folder.toString), mounts, lfs).remove()
      assert(said(folder).size == 1)
    }
  }

  test("what was asked for and can't be is one error with key, value and remedy; nothing is left") {
    on("lustre", exit = 1) { (folder, mounts, lfs) =>
      val conf = confOf(s"$folder?stripes=7")
      val message =
        intercept[IllegalArgumentException](SharedDirectory.create(conf, mounts, lfs)).getMessage
      assert(message.startsWith(s"spark.hpc.shuffle.directory=$folder?stripes=7: "), message)
      assert(message.contains("cannot create layout") && message.contains("leave ?stripes=N out"))
      assert(applications(folder).isEmpty)
    }
  }
}
