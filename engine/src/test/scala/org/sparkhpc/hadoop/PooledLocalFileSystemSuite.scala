package org.sparkhpc.hadoop

import java.io.{FileNotFoundException, IOException}
import java.nio.file.{Files, Paths}
import java.util.concurrent.CountDownLatch

import scala.util.Try

import org.apache.hadoop.fs.{FileStatus, FileSystem, Path}
import org.apache.hadoop.fs.permission.FsPermission
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow
import org.sparkhpc.file.{InThread, SharedFiles}
import org.sparkhpc.request.{RequestKind, Requests}

class PooledLocalFileSystemSuite extends AnyFunSuite with LocalFileSystems {

  private def crc(path: Path): Path = new Path(path.getParent, s".${path.getName}.crc")

  private def facts(status: FileStatus): Seq[Any] = Seq(
    status.getPath,
    status.getLen,
    status.isDirectory,
    status.getReplication,
    status.getBlockSize,
    status.getModificationTime,
    status.getAccessTime,
    status.getPermission,
    status.getOwner,
    status.getGroup,
    status.isSymlink
  )

  test("statuses and listings are Hadoop's own, with any names, links and permissions") {
    inFolder { folder =>
      val own = shared(new SharedFiles(10))
      val names = Seq("plain", "with space", "per%20cent", "ünïcödé", "a:b", "_hidden", "x=1")
      for (name <- names) {
        own.mkdirs(new Path(folder, new Path(null, null, name)))
        write(stock, new Path(folder, s"file-${names.indexOf(name)}"), name)
      }
      Files.createSymbolicLink(onDisk(new Path(folder, "link")), onDisk(new Path(folder, "file-1")))
      Files.createSymbolicLink(onDisk(new Path(folder, "dangling")), Paths.get("nowhere"))
      Files.createSymbolicLink(onDisk(new Path(folder, "loop")), Paths.get("loop"))
      own.setPermission(new Path(folder, "file-2"), new FsPermission("640"))
      own.setPermission(new Path(folder, "plain"), new FsPermission("1711"))
      def all(fs: FileSystem): Seq[Seq[Any]] =
        fs.listStatus(folder).map(facts).sortBy(_.head.toString).toSeq
      assert(Try(all(own)).isFailure) // the loop, which Hadoop leaves out
      Files.delete(onDisk(new Path(folder, "loop")))
      assert(all(own) == all(stock) && all(own).size == 2 * names.size + 1)
      val one = new Path(folder, "file-1")
      assert(own.listStatus(one).map(facts).toSeq == stock.listStatus(one).map(facts).toSeq)
      val located = own.listLocatedStatus(folder)
      var count = 0
      while (located.hasNext) {
        val status = located.next()
        assert(facts(status) == facts(stock.getFileStatus(status.getPath)))
        count += 1
      }
      assert(count == all(stock).size)
    }
  }

  test("what isn't there, or can't be read, fails as with Hadoop") {
    inFolder { folder =>
      val own = shared(new SharedFiles(10))
      write(own, new Path(folder, "file"), "")
      Files.createSymbolicLink(onDisk(new Path(folder, "loop")), Paths.get("loop"))
      val wrong = Seq(
        "missing",
        "missing/below",
        "file/below",
        "loop",
        "x" * 300
      ).map(new Path(folder, _)) :+ folder
      for (path <- wrong; fs <- Seq(own, stock)) {
        assertThrows[FileNotFoundException](fs.open(path).close())
        assert(path == folder || Try(fs.getFileStatus(path)).failed.get.isInstanceOf[
          FileNotFoundException
        ])
        assert(path == folder || !fs.exists(path))
      }
      assertThrows[FileNotFoundException](own.listStatus(new Path(folder, "missing")))
    }
  }

  test("a status serializes as Hadoop's own class, with its names") {
    inFolder { folder =>
      val status = shared(new SharedFiles(10)).getFileStatus(folder)
      val bytes = new java.io.ByteArrayOutputStream
      new java.io.ObjectOutputStream(bytes).writeObject(status)
      val in = new java.io.ObjectInputStream(new java.io.ByteArrayInputStream(bytes.toByteArray))
      val read = in.readObject().asInstanceOf[FileStatus]
      assert(
        read.getClass == classOf[FileStatus] && facts(read) == facts(stock.getFileStatus(folder))
      )
    }
  }

  test("100,000 files are listed by several threads, each once", Slow) {
    inFolder { folder =>
      val paths = Seq.tabulate(100)(part => new Path(folder, part.toString))
      for (path <- paths) Files.createDirectory(onDisk(path))
      for (path <- paths; file <- 0 until 1000) Files.createFile(onDisk(new Path(path, s"f$file")))
      val own = shared(new SharedFiles(10))
      for (path <- paths) {
        val listed = own.listStatus(path).map(_.getPath.getName)
        assert(listed.length == 1000 && listed.toSet.size == 1000)
      }
    }
  }

  test("no checksum file is written, and an old one never fits wrongly") {
    inFolder { folder =>
      val own = shared(new SharedFiles(10))
      val path = new Path(folder, "file")
      def old(): Unit = {
        write(stock, path, "what stock Spark wrote")
        assert(stock.getRawFileSystem.exists(crc(path)))
      }
      val changes: Seq[(String, () => String)] = Seq(
        "overwritten" -> { () =>
          write(own, path, "new"); "new"
        },
        "appended to" -> { () =>
          val out = own.append(path)
          out.write('!')
          out.close()
          "what stock Spark wrote!"
        },
        "truncated" -> { () =>
          own.truncate(path, 4); "what"
        },
        "replaced by a rename" -> { () =>
          write(own, new Path(folder, "other"), "renamed")
          own.rename(new Path(folder, "other"), path)
          "renamed"
        },
        "deleted and made again" -> { () =>
          own.delete(path, false)
          Files.write(onDisk(path), "again".getBytes)
          "again"
        },
        "renamed away and back" -> { () =>
          own.rename(path, new Path(folder, "moved"))
          own.rename(new Path(folder, "moved"), path)
          "what stock Spark wrote"
        }
      )
      for ((what, change) <- changes) withClue(what) {
        old()
        val text = change()
        // Stock verifies the checksums.
        assert(read(stock, path) == text && read(own, path) == text)
        own.delete(path, false)
        assert(stock.getRawFileSystem.listStatus(folder).isEmpty)
      }
    }
  }

  test("checksums: always writes and verifies them; auto doesn't verify on a shared file system") {
    inFolder { folder =>
      val path = new Path(folder, "file")
      val files = new SharedFiles(10)
      write(shared(files, checksums = "always"), path, "checked")
      assert(stock.getRawFileSystem.exists(crc(path)))
      Files.write(onDisk(path), "changed".getBytes)
      assert(read(shared(files), path) == "changed")
      assertThrows[IOException](read(shared(files, checksums = "always"), path))
    }
  }

  test("without coherence, a file stays open for its task only; without a task, for its stream") {
    inFolder { folder =>
      val files = new SharedFiles(10)
      val path = new Path(folder, "file")
      var end: AnyRef => Unit = null
      var task: AnyRef = null
      val readers = new Readers {
        override def current(onEnd: AnyRef => Unit): AnyRef = {
          end = onEnd
          task
        }
      }
      val own = shared(files, isCoherent = false, readers)
      write(own, path, "text")
      for (_ <- 1 to 2) read(own, path)
      assert(files.counts.opens == 2 && files.counts.openNow == 0)
      task = "task 1"
      for (_ <- 1 to 2) read(own, path)
      assert(files.counts.opens == 3 && files.counts.openNow == 1)
      end(task)
      assert(files.counts.openNow == 0)
    }
  }

  test(
    "what is created has the permissions that Hadoop gives it, and parents when they are wanted"
  ) {
    inFolder { folder =>
      val both = Seq(shared(new SharedFiles(10)), stock)
      val made = both.zipWithIndex.map { case (fs, index) =>
        val top = new Path(folder, index.toString)
        write(fs, new Path(top, "a/b/file"), "text")
        write(fs, new Path(top, "a/b/file"), "shorter") // another time
        fs.mkdirs(new Path(top, "secret"), new FsPermission("700"))
        FileSystem.create(fs, new Path(top, "private"), new FsPermission("600")).close()
        for (path <- Seq("a/b/file", "secret", "private", "a", "a/b"))
          yield fs.getFileStatus(new Path(top, path)).getPermission
      }
      assert(made.head == made(1))
      for (fs <- both) {
        val missing = new Path(folder, "missing/file")
        assertThrows[IOException] {
          fs.createNonRecursive(missing, true, 4096, 1, 1024, null).close()
        }
        assertThrows[IOException](fs.create(new Path(folder, "0/a/b/file"), false).close())
        assertThrows[IOException](fs.create(new Path(folder, "0/a"), true).close())
      }
    }
  }

  test(
    "names that are new are those in staging directories, and those before a checkpoint's files"
  ) {
    val uuid = "8c1a4bd0-0a5d-4bd0-9f0e-1f6a3f0e2b11"
    val fresh = Seq(s".12.$uuid.tmp", s".3.delta.$uuid.TID45.tmp", ".spark-staging-1/2/part-0")
    val others = Seq(s".12.$uuid", "12.tmp", s"12.$uuid.tmp", s".$uuid.tmp", "part-0", ".12.tmp")
    for (name <- fresh) assert(Staging.isNew(new Path("/a", name)), name)
    for (name <- others) assert(!Staging.isNew(new Path("/a", name)), name)
  }

  test("no status is asked of a checksum file that a checkpoint's new file can't have") {
    inFolder { folder =>
      val own = shared(new SharedFiles(10))
      val uuid = "8c1a4bd0-0a5d-4bd0-9f0e-1f6a3f0e2b11"
      write(own, new Path(folder, s".12.$uuid.tmp"), "text")
      assert(requests(assert(!isThere(own, new Path(folder, s"..12.$uuid.tmp.crc")))) == 0)
      // One that another process made.
      val other = new Path(folder, s"..13.$uuid.tmp.crc")
      assert(requests(assert(!isThere(own, other))) == 1)
      Files.createFile(onDisk(other)): Unit
      assert(isThere(own, other))
    }
  }

  test("a file that isn't there takes one request to be told from a link") {
    inFolder { folder =>
      val own = shared(new SharedFiles(10))
      val path = new Path(folder, "file")
      def status: FileStatus = own.getFileLinkStatus(path)
      assert(requests(assertThrows[FileNotFoundException](status)) == 1)
      write(own, path, "text")
      assert(requests(assert(status.getLen == 4)) == 1)
      assert(!status.isSymlink)
      val link = new Path(folder, "link")
      Files.createSymbolicLink(onDisk(link), onDisk(path)): Unit
      assert(own.getFileLinkStatus(link).isSymlink)
    }
  }

  private def isThere(fs: FileSystem, path: Path): Boolean =
    try { fs.getFileStatus(path); true }
    catch { case _: FileNotFoundException => false }

  private def requests(work: => Unit): Int = {
    var count = 0
    val watcher = new Requests.Watcher {
      override def made(kind: RequestKind, nanos: Long): Unit = count += 1
      override def began(kind: RequestKind): Unit = ()
    }
    Requests.on(watcher)(work)
    count
  }

  test("tasks that begin at once make the same parents, and each its file") {
    inFolder { folder =>
      val own = shared(new SharedFiles(10))
      for (round <- 0 until 200) {
        val start = new CountDownLatch(1)
        val tasks = (0 until 4).map { number =>
          new InThread(s"task $number")({
            start.await()
            write(own, new Path(folder, s"$round/.spark-staging-job/$number"), "text")
          })
        }
        start.countDown()
        tasks.foreach(_.result())
      }
    }
  }
}
