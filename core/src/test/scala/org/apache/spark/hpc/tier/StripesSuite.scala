package org.apache.spark.hpc.tier

import java.io.IOException
import java.nio.file.{Files, Path}
import java.nio.file.attribute.PosixFilePermissions

import scala.collection.JavaConverters._

import org.apache.commons.io.FileUtils
import org.scalatest.funsuite.AnyFunSuite

/** By commands that stand in for that of Lustre. */
class StripesSuite extends AnyFunSuite {

  private def withCommand(lines: String*)(test: (Path, String) => Unit): Unit = {
    val folder = Files.createTempDirectory("stripes")
    try {
      val lfs = Files.write(folder.resolve("lfs"), ("#!/bin/sh" +: lines).asJava)
      Files.setPosixFilePermissions(lfs, PosixFilePermissions.fromString("rwx------"))
      test(folder, lfs.toString)
    } finally FileUtils.deleteDirectory(folder.toFile)
  }

  test("the command is run once, on the directory") {
    withCommand("cd $(dirname $0)", "echo $* >>ran") { (folder, lfs) =>
      Stripes.set(folder, -1, lfs)
      assert(Files.readAllLines(folder.resolve("ran")).asScala == Seq(s"setstripe -c -1 $folder"))
    }
  }

  test("what the command says when it fails is in the error, on one line") {
    withCommand("echo error on ioctl >&2", "echo '  invalid argument'", "exit 22") {
      (folder, lfs) =>
        val message = intercept[IOException](Stripes.set(folder, 4, lfs)).getMessage
        assert(
          message == s"'$lfs setstripe -c 4 $folder' ended with 22: error on ioctl invalid argument"
        )
    }
  }

  test("a command that isn't there is an error, too") {
    withCommand() { (folder, lfs) =>
      assert(intercept[IOException](Stripes.set(folder, 4, s"$lfs-no")).getMessage.contains(lfs))
    }
  }
}
