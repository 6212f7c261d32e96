package org.sparkhpc.tier

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

  /** As `lfs getstripe -d` says it of a directory; `ran` has the commands that changed something. */
  private def layout(lines: String*)(test: (Path, Seq[Option[Int]] => Seq[Option[String]]) => Unit)
      : Unit = {
    val getstripe = lines.map(line => s"echo '$line'").mkString("; ")
    val ran = "cd $(dirname $0); echo $* >>ran"
    withCommand("case $1 in", s"getstripe) $getstripe ;;", s"*) $ran ;;", "esac") { (folder, lfs) =>
      test(folder.resolve("ran"), _.map(Stripes.ofContainers(folder, _, Some("lustre"), lfs)))
    }
  }

  private val plain = "stripe_count:  1 stripe_size:   1048576 pattern:  raid0 stripe_offset: -1"

  private def commands(ran: Path): Seq[String] =
    if (Files.exists(ran)) Files.readAllLines(ran).asScala else Nil

  test("on Lustre, containers are on several targets though nobody says so") {
    layout(plain) { (ran, stripe) =>
      assert(stripe(Seq(None)) == Seq(None))
      assert(commands(ran) == Seq(s"setstripe -c 4 ${ran.getParent}"))
    }
  }

  test("what the user says holds, one target too") {
    layout(plain) { (ran, stripe) =>
      stripe(Seq(Some(1), Some(-1)))
      assert(commands(ran).map(_.split(" ")(2)) == Seq("1", "-1"))
    }
  }

  test("a directory with stripes, a pool or a progressive layout of its own is left as it is") {
    val others = Seq(
      Seq(plain.replace("count:  1", "count:  8")),
      Seq(plain.replace("count:  1", "count:  -1")),
      Seq(s"$plain pool: flash"),
      Seq("lcm_layout_gen:  0", "lcme_extent.e_end: 4194304", plain),
      Seq("something else")
    )
    for (lines <- others) layout(lines: _*) { (ran, stripe) =>
      assert(stripe(Seq(None)) == Seq(None))
      assert(commands(ran).isEmpty, lines)
    }
  }

  test("on other file systems nothing is run that nobody asked for") {
    withCommand("exit 9") { (folder, lfs) =>
      for (fileSystem <- Seq(Some("xfs"), Some("gpfs"), None))
        assert(Stripes.ofContainers(folder, None, fileSystem, lfs).isEmpty)
      intercept[IOException](Stripes.ofContainers(folder, Some(4), Some("xfs"), lfs))
    }
  }

  test("a Lustre that refuses, or without the command, costs one line") {
    withCommand("echo no such device", "exit 19") { (folder, lfs) =>
      for ((command, why) <- Seq(lfs -> "no such device", s"$lfs-no" -> "No such file")) {
        val Some(said) = Stripes.ofContainers(folder, None, Some("lustre"), command)
        assert(said.startsWith(s"Each file of $folder is on one target of Lustre: "))
        assert(said.contains(why) && !said.contains("\n"))
      }
    }
  }

  test("a directory is read with its stripes, and a mistake isn't taken for a part of its name") {
    import StripedDirectory.parse
    assert(parse("/scratch/u") == Right(StripedDirectory("/scratch/u", None)))
    assert(parse("/scratch/u?stripes=8") == Right(StripedDirectory("/scratch/u", Some(8))))
    assert(parse("/scratch/u?stripes=-1") == Right(StripedDirectory("/scratch/u", Some(-1))))
    for (
      wrong <-
        Seq("scratch", "/u?stripes=0", "/u?stripes=", "/u?stripe=4", "/u?stripes=4&reserve=1g")
    )
      assert(parse(wrong).left.exists(_.contains("such as /scratch/you/spark?stripes=4")), wrong)
  }
}
