package org.apache.spark.storage

import java.nio.file.{Files, Path}

import scala.sys.process._

import org.scalatest.{Assertions, Suite}

/** Real file systems that are soon full; root is needed to mount them. */
trait SmallFileSystems extends Assertions { this: Suite =>

  /** Mounts what the command says at its end, for a test. */
  private def mounted[A](test: Path => A)(mount: Path => Seq[String]): A = {
    assume("id -u".!!.trim == "0", "root is needed to mount a small file system")
    val folder = Files.createTempDirectory("small")
    try {
      run(mount(folder): _*)
      try test(folder)
      finally run("umount", "-l", folder.toString)
    } finally Files.delete(folder)
  }

  protected def onSmallTmpfs[A](size: String)(test: Path => A): A =
    mounted(test)(folder => Seq("mount", "-t", "tmpfs", "-o", s"size=$size", "tmpfs", s"$folder"))

  /** A file system with much room, of which a quota allows little. */
  protected def onQuota[A](limit: String)(test: Path => A): A = {
    assume(Seq("which", "mkfs.btrfs", "losetup").!(quiet) == 0, "btrfs-progs is needed for a quota")
    val image = Files.createTempFile("quota", ".img")
    try {
      run("truncate", "-s", "300M", image.toString)
      run("mkfs.btrfs", "-q", image.toString)
      mounted { folder =>
        val limited = folder.resolve("limited")
        run("btrfs", "quota", "enable", folder.toString)
        run("btrfs", "subvolume", "create", limited.toString)
        run("btrfs", "qgroup", "limit", limit, limited.toString)
        test(limited)
      }(folder => Seq("mount", "-o", "loop", image.toString, folder.toString))
    } finally Files.delete(image)
  }

  protected def run(command: String*): Unit =
    assert(command.!(quiet) == 0, command.mkString(" "))

  private def quiet = ProcessLogger(_ => ())
}
