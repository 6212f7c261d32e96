package org.sparkhpc.tier

import java.io.IOException
import java.nio.file.{Files, Path}
import java.nio.file.attribute.PosixFilePermissions
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit.SECONDS

import scala.sys.process._

import org.apache.commons.io.FileUtils
import org.scalatest.funsuite.AnyFunSuite

class ScratchDirectorySuite extends AnyFunSuite {
  import FileSystemKind._

  private def below[A](test: Path => A): A = {
    val parent = Files.createTempDirectory("tier")
    try test(parent)
    finally FileUtils.deleteDirectory(parent.toFile)
  }

  /** What a process that begins now deletes. */
  private def swept(parent: Path, kind: FileSystemKind): Seq[Path] = {
    val directory = ScratchDirectory.create(parent.toFile, "8", outlives = false)
    try directory.sweep(kind)
    finally directory.close()
  }

  /** As another process leaves it, with a file `owner` that nobody locks. */
  private def leftover(parent: Path, start: String = "anotherstart"): Path = {
    val path = Files.createTempDirectory(parent, s"spark-hpc-7-$start-")
    for (name <- Seq("owner", "block")) Files.write(path.resolve(name), Array[Byte](1))
    path
  }

  test("it is its user's alone, carries the job, and goes with all that is in it") {
    below { parent =>
      val directory =
        ScratchDirectory.create(parent.resolve("new").toFile, "77", outlives = false)
      assert(directory.path.getFileName.toString.startsWith("spark-hpc-77-"))
      val mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.path))
      assert(mode == "rwx------")
      Files.write(directory.path.resolve("file"), Array[Byte](1))
      directory.close()
      assert(!Files.exists(directory.path))
    }
  }

  test("nothing of it is left, though tasks make files until it is gone") {
    below { parent =>
      for (_ <- 1 to 50) {
        val directory = ScratchDirectory.create(parent.toFile, "77", outlives = false)
        val inside = Files.createDirectory(directory.path.resolve("inside"))
        val began = new CountDownLatch(1)
        val writer = new Thread(() =>
          try
            for (place <- Iterator.continually(Seq(inside, directory.path)).flatten) {
              Files.createTempFile(place, "spill", "")
              began.countDown()
            }
          catch { case _: IOException => () } // it is gone
        )
        writer.start()
        began.await()
        directory.close()
        writer.join()
        assert(parent.toFile.list().isEmpty)
      }
    }
  }

  test("a close beside another, as a signal brings it, ends when all is gone") {
    below { parent =>
      val directory = ScratchDirectory.create(parent.toFile, "77", outlives = false)
      for (n <- 1 to 20000) Files.createFile(directory.path.resolve(s"file-$n"))
      val closer = new Thread(() => directory.close())
      closer.start()
      while (Files.exists(directory.path)) Thread.`yield`()
      directory.close()
      val left = parent.toFile.list().toSeq
      closer.join()
      assert(left.isEmpty)
    }
  }

  test("a process's own directory is left alone, and one that says nothing of its owner") {
    below { parent =>
      val own = ScratchDirectory.create(parent.toFile, "7", outlives = false)
      val silent = Files.createTempDirectory(parent, "spark-hpc-7-")
      assert(swept(parent, Local).isEmpty)
      assert(Files.exists(own.path) && Files.exists(silent))
      val lock =
        "import fcntl, sys\nfcntl.lockf(open(sys.argv[1], 'r+'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
      val owner = own.path.resolve("owner").toString
      assert(Seq("python3", "-c", lock, owner).!(ProcessLogger(_ => ())) != 0)
      own.close()
    }
  }

  test("what others go on serving stays, and isn't swept") {
    below { parent =>
      val served = ScratchDirectory.create(parent.toFile, "7", outlives = true)
      served.close()
      assert(swept(parent, Local).isEmpty)
      assert(Files.exists(served.path))
    }
  }

  test("a process that is killed leaves a directory that the next one sweeps, but not before") {
    below { parent =>
      val path = leftover(parent)
      val holder = new java.lang.ProcessBuilder(
        "python3",
        "-c",
        "import fcntl, sys, time\nf = open(sys.argv[1], 'r+')\nfcntl.lockf(f, fcntl.LOCK_EX)\n" +
          "print('locked', flush=True)\ntime.sleep(600)",
        path.resolve("owner").toString
      ).start()
      try {
        assert(holder.getInputStream.read() == 'l')
        assert(swept(parent, Local).isEmpty)
        assert(Files.exists(path.resolve("block")))
      } finally holder.destroyForcibly()
      assert(holder.waitFor(30, SECONDS))
      assert(swept(parent, Local) == Seq(path))
      assert(!Files.exists(path))
    }
  }

  test("on a shared file system, only what this node made since its start is swept") {
    below { parent =>
      val elsewhere = leftover(parent)
      val here = leftover(parent, ScratchDirectory.thisStart)
      assert(swept(parent, Shared) == Seq(here))
      assert(Files.exists(elsewhere))
    }
  }

  test("links are neither swept nor followed") {
    below { parent =>
      val outside = Files.createTempDirectory("outside")
      val precious = Files.write(outside.resolve("owner"), Array[Byte](1))
      Files.createSymbolicLink(parent.resolve("spark-hpc-7-link"), outside)
      val path = leftover(parent)
      Files.createSymbolicLink(path.resolve("link"), outside)
      assert(swept(parent, Local) == Seq(path))
      assert(Files.exists(precious) && Files.exists(parent.resolve("spark-hpc-7-link")))
      FileUtils.deleteDirectory(outside.toFile)
    }
  }

  test("another user's directory is left alone") {
    assume("id -u".!!.trim == "0", "root is needed to give a directory away")
    below { parent =>
      val path = leftover(parent)
      assert(Seq("chown", "-R", "12345", path.toString).! == 0)
      assert(swept(parent, Local).isEmpty)
      assert(Files.exists(path))
    }
  }
}
