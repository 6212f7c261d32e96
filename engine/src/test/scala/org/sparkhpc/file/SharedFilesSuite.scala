package org.sparkhpc.file

import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.file.{FileSystemException, Files, NoSuchFileException, Path, Paths}
import java.nio.file.StandardOpenOption.APPEND
import java.nio.file.attribute.FileTime

import org.scalatest.funsuite.AnyFunSuite

class SharedFilesSuite extends AnyFunSuite with NumberedFiles {

  private def open(files: SharedFiles, path: String, owner: AnyRef = null): SharedFile = {
    val its = Paths.get(path)
    files.open(its, FileFacts.of(its).identity, owner)
  }

  private def isRight(file: SharedFile, number: Int): Boolean = {
    val to = ByteBuffer.allocate(NumberedFiles.Size + 1)
    file.read(to, 0) == NumberedFiles.Size &&
    (0 until NumberedFiles.Size).forall(at => to.get(at) == NumberedFiles.byte(number, at))
  }

  private def withFiles(bound: Int, count: Int)(test: (SharedFiles, Seq[String]) => Unit): Unit =
    inFolder { folder =>
      val files = new SharedFiles(bound)
      try test(files, (0 until count).map(write(folder, _)))
      finally files.closeIdle(0)
    }

  private def openNow(paths: Seq[String]): Seq[String] = openBelow(Paths.get(paths.head).getParent)

  test("streams at the same time and later share one open file") {
    withFiles(bound = 10, count = 1) { (files, paths) =>
      val both = Seq.fill(2)(open(files, paths.head))
      assert(openNow(paths) == Seq("0"))
      both.foreach(files.release)
      val third = open(files, paths.head)
      assert(isRight(third, 0) && files.counts == SharedFileCounts(2, 1, 0, 1, 10))
      files.release(third)
    }
  }

  test("a stream reads a deleted and a replaced file to the end; the next stream doesn't") {
    withFiles(bound = 10, count = 2) { (files, paths) =>
      val folder = Paths.get(paths.head).getParent
      val (deleted, replaced) = (open(files, paths.head), open(files, paths(1)))
      Files.delete(Paths.get(paths.head))
      files.forget(Paths.get(paths.head))
      replace(folder, 1, by = 5)
      assert(isRight(deleted, 0) && isRight(replaced, 1))
      val next = open(files, paths(1))
      assert(isRight(next, 5))
      assertThrows[NoSuchFileException](open(files, paths.head))
      Seq(deleted, replaced).foreach(files.release)
      assert(openNow(paths) == Seq("1"))
      files.release(next)
    }
  }

  test(
    "a file that another process deleted and made again, appended to or renamed is opened anew"
  ) {
    withFiles(bound = 10, count = 2) { (files, paths) =>
      val path = Paths.get(paths.head)
      val (moved, back) = (path.resolveSibling("moved"), path.resolveSibling("back"))
      val changes: Seq[() => Unit] = Seq(
        () => {
          Files.delete(path)
          write(path.getParent, 0): Unit
        },
        () => Files.write(path, Array.empty[Byte], APPEND): Unit,
        () => Files.setLastModifiedTime(path, FileTime.fromMillis(5)): Unit,
        () => {
          // Another file for a moment, and then the same one again.
          Files.move(path, moved)
          Files.move(Paths.get(paths(1)), path)
          Files.move(path, back)
          Files.move(moved, path): Unit
        }
      )
      files.release(open(files, paths.head))
      // An append of nothing changes nothing.
      for ((change, opens) <- changes.zip(Seq(2, 2, 3, 4))) {
        change()
        files.release(open(files, paths.head))
        assert(files.counts.opens == opens && openNow(paths) == Seq("0"))
      }
    }
  }

  test("a full pool closes the idle file that was opened first, and never one that a stream has") {
    withFiles(bound = 3, count = 5) { (files, paths) =>
      val first = open(files, paths.head)
      for (path <- paths.slice(1, 3) :+ paths(1)) files.release(open(files, path))
      assert(openNow(paths) == Seq("0", "1", "2"))
      val others = paths.slice(3, 5).map(open(files, _))
      assert(openNow(paths) == Seq("0", "3", "4") && files.counts.evictions == 2)
      val more = open(files, paths(1))
      assert(files.counts.openNow == 4 && isRight(more, 1))
      (first +: more +: others).foreach(files.release)
      assert(files.counts.openNow == 3)
    }
  }

  test("what one owner opened, another one opens again; it is closed with its owner") {
    withFiles(bound = 10, count = 1) { (files, paths) =>
      val owners = Seq("task 1", "task 2")
      val both = owners.map(open(files, paths.head, _))
      assert(openNow(paths) == Seq("0", "0") && files.counts.hits == 0)
      files.release(both.head)
      files.release(open(files, paths.head, owners.head))
      assert(files.counts.hits == 1)
      owners.foreach(files.forgetOwner)
      assert(openNow(paths) == Seq("0") && isRight(both(1), 0))
      files.release(both(1))
      assert(openNow(paths).isEmpty && files.counts.openNow == 0)
    }
  }

  test("files below a directory are forgotten with it; idle files are closed in time") {
    withFiles(bound = 10, count = 3) { (files, paths) =>
      paths.foreach(path => files.release(open(files, path)))
      files.closeIdle(Long.MaxValue)
      assert(openNow(paths).size == 3)
      files.forget(Paths.get(paths(2)))
      assert(openNow(paths) == Seq("0", "1"))
      files.forget(Paths.get(paths.head).getParent)
      assert(openNow(paths).isEmpty && files.counts.openNow == 0)
    }
  }

  test("without a descriptor left, idle files are closed and the open is tried again") {
    inFolder { folder =>
      var left = 2
      def few(path: Path): FileChannel = {
        left -= 1
        if (left == -1) throw new FileSystemException(path.toString, null, "Too many open files")
        FilePool.openForReading(path.toString)
      }
      val files = new SharedFiles(10, few)
      val paths = (0 until 3).map(write(folder, _))
      paths.foreach(path => files.release(open(files, path)))
      assert(openBelow(folder) == Seq("2") && files.counts.openNow == 1)
      def none(path: Path): FileChannel =
        throw new FileSystemException(path.toString, null, "Too many open files")
      val failure = intercept[FileSystemException](open(new SharedFiles(10, none), paths.head))
      assert(failure.getReason == "Too many open files")
      files.closeIdle(0)
    }
  }

  test("an open that fails leaves nothing behind") {
    withFiles(bound = 10, count = 1) { (files, paths) =>
      val facts = FileFacts.of(Paths.get(paths.head))
      Files.delete(Paths.get(paths.head))
      assertThrows[NoSuchFileException](files.open(Paths.get(paths.head), facts.identity, null))
      assert(files.counts.openNow == 0)
    }
  }

  test("an interrupted reader and the others read on") {
    withFiles(bound = 10, count = 1) { (files, paths) =>
      val both = Seq.fill(2)(open(files, paths.head))
      Thread.currentThread.interrupt()
      assert(isRight(both.head, 0))
      assert(Thread.interrupted())
      // As an interrupt does that comes during a read.
      both.head.close()
      assert(both.forall(isRight(_, 0)))
      Files.setLastModifiedTime(Paths.get(paths.head), FileTime.fromMillis(5))
      both.head.close()
      val failure = intercept[java.io.IOException](isRight(both(1), 0))
      assert(failure.getMessage.endsWith("was replaced or changed while it was read"))
      both.foreach(files.release)
    }
  }
}
