package org.sparkhpc.tier

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import java.nio.file.attribute.{FileTime, PosixFilePermissions}
import java.util.concurrent.TimeUnit.{HOURS, SECONDS}

import scala.collection.JavaConverters._

import org.apache.commons.io.FileUtils
import org.scalatest.funsuite.AnyFunSuite

/** What a process that begins on a node finds of dead ones on a shared file system, and what it lists. */
class NodeLedgerSuite extends AnyFunSuite {
  import FileSystemKind.Shared

  private final class Node extends AutoCloseable {
    private val root = Files.createTempDirectory("node")
    private val memory = Files.createDirectory(root.resolve("memory"))
    val shared: Path = Files.createDirectory(root.resolve("shared"))
    val ledger: NodeLedger = NodeLedger.in(Seq(memory)).get

    def place: Path = files(memory).head

    def made: Seq[Path] = files(place).filter(_.getFileName.toString.startsWith("made-"))

    def listed: Seq[Path] = files(place).filter(_.getFileName.toString.startsWith("listed-"))

    /** A process's directory. */
    def begin(): ScratchDirectory =
      ScratchDirectory.create(shared.toFile, "8", outlives = false, Some(ledger))

    /** What a process that begins now deletes. */
    def swept(isNew: Boolean = false): Seq[Path] = {
      val directory = begin()
      try directory.sweep(Shared, isNew)
      finally directory.close()
    }

    /** As a dead process leaves it. */
    def leftover(end: String = "", start: String = ScratchDirectory.thisStart): Path = {
      val path = Files.createDirectory(shared.resolve(s"spark-hpc-7-$start-${System.nanoTime}$end"))
      for (name <- Seq("owner", "block")) Files.write(path.resolve(name), Array[Byte](1))
      path
    }

    /** An entry that nobody locks. */
    def entry(path: Path): Path =
      Files.write(place.resolve(s"made-${System.nanoTime}"), path.toString.getBytes(UTF_8))

    override def close(): Unit = FileUtils.deleteDirectory(root.toFile)
  }

  private def files(directory: Path): Seq[Path] = {
    val all = Files.list(directory)
    try all.iterator().asScala.toList
    finally all.close()
  }

  private def onNode(test: Node => Any): Unit = {
    val node = new Node
    try test(node): Unit
    finally node.close()
  }

  /** While another process has these files locked. */
  private def locked[A](files: Path*)(test: => A): A = {
    val program =
      "import fcntl, sys, time\nfor name in sys.argv[1:]:\n  f = open(name, 'r+')\n" +
        "  globals()[name] = f\n  fcntl.lockf(f, fcntl.LOCK_EX)\nprint('locked', flush=True)\ntime.sleep(600)"
    val command = Seq("python3", "-c", program) ++ files.map(_.toString)
    val other = new ProcessBuilder(command.asJava).start()
    try {
      assert(other.getInputStream.read() == 'l')
      test
    } finally {
      other.destroyForcibly()
      other.waitFor(30, SECONDS)
    }
  }

  private def yesterday(file: Path): Unit = Files.setLastModifiedTime(
    file,
    FileTime.fromMillis(System.currentTimeMillis() - HOURS.toMillis(25))
  ): Unit

  test("the first process lists, the next ones don't, and another does on the next day") {
    onNode { node =>
      val before = node.leftover()
      assert(node.swept() == Seq(before))
      // As none is left where each process has an entry: it shows who lists.
      val after = node.leftover()
      assert(node.swept().isEmpty && node.swept().isEmpty)
      node.listed.foreach(yesterday)
      assert(node.swept() == Seq(after))
      assert(node.listed.size == 1)
    }
  }

  test("no process lists what the node has made for this job") {
    onNode { node =>
      node.leftover(): Unit
      assert(node.swept(isNew = true).isEmpty && node.listed.isEmpty)
    }
  }

  test("what a dead process left is found by its entry, also in the middle of its end") {
    onNode { node =>
      val left = Seq(node.leftover(), node.leftover("-closing"))
      left.foreach(path =>
        node.entry(path.resolveSibling(path.getFileName.toString.stripSuffix("-closing")))
      )
      // One that was gone, of a process that was killed before it said so.
      node.entry(node.shared.resolve(s"spark-hpc-7-${ScratchDirectory.thisStart}-gone")): Unit
      assert(node.swept(isNew = true).toSet == left.toSet)
      assert(files(node.shared).isEmpty && node.made.isEmpty)
    }
  }

  test("so is what a process left that couldn't lock a file there, or was killed before") {
    onNode { node =>
      val left = node.leftover()
      Files.move(left.resolve("owner"), left.resolve("owner.new"))
      val entry = node.entry(left)
      locked(entry)(assert(node.swept().isEmpty))
      assert(node.swept() == Seq(left) && files(node.shared).isEmpty)
    }
  }

  test("what a live process has stays, and goes when that is killed") {
    onNode { node =>
      val left = node.leftover()
      val entry = node.entry(left)
      locked(entry, left.resolve("owner"))(assert(node.swept(isNew = true).isEmpty))
      // The one lock is as good as the other.
      locked(entry)(assert(node.swept(isNew = true).isEmpty))
      locked(left.resolve("owner"))(assert(node.swept(isNew = true).isEmpty))
      assert(Files.exists(left.resolve("block")) && node.made == Seq(entry))
      assert(node.swept(isNew = true) == Seq(left) && node.made.isEmpty)
    }
  }

  test("a process's own entries stay while it lives, whatever others of it do") {
    onNode { node =>
      val own = node.begin()
      assert(node.made.size == 1)
      assert(own.sweep(Shared).isEmpty && node.swept().isEmpty)
      assert(Files.exists(own.path) && node.made.size == 1)
      own.close()
      assert(node.made.isEmpty && files(node.shared).isEmpty)
    }
  }

  test("what this process doesn't see stays in the ledger for a day") {
    onNode { node =>
      val entry = node.entry(node.shared.resolve("not/mounted/here/spark-hpc-7"))
      assert(node.swept().isEmpty && node.made == Seq(entry))
      yesterday(entry)
      assert(node.swept().isEmpty && node.made.isEmpty)
    }
  }

  test("what the node's own process removed with its job is struck out") {
    onNode { node =>
      val name = s"spark-hpc-7-${ScratchDirectory.thisStart}-gone"
      node.entry(node.shared.resolve("of-the-job").resolve(name)): Unit
      assert(node.swept().isEmpty && node.made.isEmpty)
    }
  }

  test("nothing is deleted but directories of this user's, since the node's start") {
    onNode { node =>
      val others = Seq(
        node.leftover(start = "anotherstart"),
        Files.createDirectory(node.shared.resolve("precious")),
        Files.createSymbolicLink(
          node.shared.resolve(s"spark-hpc-7-${ScratchDirectory.thisStart}-link"),
          node.leftover(start = "andanother")
        )
      )
      others.foreach(node.entry)
      assert(node.swept(isNew = true).isEmpty)
      assert(files(node.shared).size == 4)
    }
  }

  test("while another process lists, this one doesn't, and does if that one was killed") {
    onNode { node =>
      assert(node.swept().isEmpty)
      val left = node.leftover()
      val Seq(listing) = node.listed
      Files.write(listing, Array.emptyByteArray)
      locked(listing)(assert(node.swept().isEmpty))
      assert(node.swept() == Seq(left))
    }
  }

  test("each process lists where the ledger has no room") {
    onNode { node =>
      FileUtils.deleteDirectory(node.place.toFile)
      for (_ <- 1 to 2) {
        val left = node.leftover()
        assert(node.swept() == Seq(left))
      }
    }
  }

  test("one that others could have written isn't used") {
    for (mode <- Seq("rwxrwxrwx", "rwxr-xr-x")) onNode { node =>
      val place = node.place
      Files.setPosixFilePermissions(place, PosixFilePermissions.fromString(mode))
      assert(NodeLedger.in(Seq(place.getParent)).isEmpty, mode)
    }
    onNode { node =>
      val place = node.place
      val outside = Files.move(place, place.resolveSibling("outside"))
      Files.createSymbolicLink(place, outside)
      assert(NodeLedger.in(Seq(place.getParent)).isEmpty)
    }
  }
}
