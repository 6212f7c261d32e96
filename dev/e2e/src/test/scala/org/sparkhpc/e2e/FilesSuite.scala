package org.sparkhpc.e2e

import java.nio.file.{Files, Path}
import java.nio.file.attribute.PosixFilePermissions

import scala.collection.JavaConverters._

import org.scalatest.funsuite.AnyFunSuite

/** Applications' own files on an emulated Lustre, which the mount table tells. */
class FilesSuite extends AnyFunSuite with Scratch {

  private lazy val pfs = new Pfs(directory("pfs"))

  override protected def afterAll(): Unit =
    try pfs.close()
    finally super.afterAll()

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))

  private def run(master: String, verb: String, args: String*): Run =
    submitted(Nil, master, verb, args)

  private def submitted(before: Seq[String], master: String, verb: String, args: Seq[String]) = Run(
    before ++ Submit.quickly(dist) ++ Seq("--master", master) ++
      Seq("--conf", "spark.ui.enabled=false", PythonEnvironment.script("files.py"), verb) ++ args,
    scratch,
    Map("PYSPARK_PYTHON" -> PythonEnvironment.python, "PYTHONDONTWRITEBYTECODE" -> "1")
  )

  private def results(run: Run): Seq[String] =
    run.out.linesIterator.filter(_.startsWith("result ")).map(_.drop(7)).toSeq

  private def at(name: String): String =
    Files.createDirectories(Path.of(pfs.mount, name)).toString

  test("files that tasks, the driver and another Spark change are read as they are now") {
    val stock = Dist.stock.placedIn(scratch.resolve("stock"))
    val ran = run("local-cluster[2,1,1024]", "rounds", at("rounds"), stock.home.toString)
    assert(ran.exit == 0, ran)
    val right = Seq("rounds 0 of 24 wrong", "another's 10", "mine True", "checksum files 0")
    assert(results(ran) == right, ran)
  }

  test("a file that is deleted or cut off after the listing is an error, a replaced one is read") {
    val ran = run("local-cluster[2,1,1024]", "lost", at("lost"))
    assert(ran.exit == 0, ran)
    // Four files of 250 rows, of which one took another's place.
    val right =
      Seq("deleted does not exist", "replaced 1000 750", "cut off is not a Parquet file")
    assert(results(ran) == right, ran)
  }

  test("a file system that fails is an error, and loses nothing") {
    val table = at("faults") + "/table"
    def tried(verb: String, args: String*)(faults: String*): Run = {
      pfs.fault(faults: _*)
      try run("local[2]", verb, table +: args: _*)
      finally pfs.clear()
    }
    assert(run("local[2]", "write", table, "100").exit == 0)
    val unread = tried("read")("EIO", "--kind", "open")
    assert(unread.exit != 0 && unread.out.contains("Input/output error"), unread)
    val unwritten = tried("write", "200")("ENOSPC", "--kind", "create", "--after", "2")
    assert(unwritten.exit != 0 && unwritten.out.contains("No space left on device"), unwritten)
    // An overwrite has deleted the old rows, in stock Spark, too; no part of the new ones is there.
    val left =
      Closing(Files.walk(Path.of(table)))(_.iterator.asScala.filter(Files.isRegularFile(_)).toSeq)
    assert(left.isEmpty, unwritten)
    assert(run("local[2]", "write", table, "100").exit == 0)
    assert(results(run("local[2]", "read", table)) == Seq("read 100 4950"))
  }

  private def names(directory: Path): Seq[String] =
    Closing(Files.list(directory))(_.iterator.asScala.map(_.getFileName.toString).toList).sorted

  test("an executor that is killed while it writes leaves nothing, and its rows are there once") {
    val table = Path.of(at("killed"), "table")
    assert(run("local[2]", "write", table.toString, "100").exit == 0)
    val ran = run("local-cluster[2,1,1024]", "killed", table.toString, "200")
    assert(ran.exit == 0, ran)
    assert(s"${ran.out}${ran.err}".contains("137"), ran)
    assert(results(run("local[2]", "read", table.toString)) == Seq("read 300 44850"))
    assert(names(table).filterNot(_.startsWith("part-")) == Seq("_SUCCESS"))
    assert(names(table).size == 4 + 8 + 1)
  }

  test("a driver that is killed in a commit leaves whole files, and the next write is as any") {
    val table = Path.of(at("died"), "table")
    assert(run("local[2]", "write", table.toString, "100").exit == 0)
    Files.delete(table.resolve("_SUCCESS"))
    // The commit takes a second or more: time enough to be killed in it, also on a busy machine.
    pfs.set("mds.median_us=5000")
    val ran =
      try run("local[2]", "die", table.toString, "200")
      finally pfs.set("mds.median_us=338") // Edison's
    assert(ran.exit != 0, ran)
    val left = names(table)
    val files = left.count(_.startsWith("part-"))
    // A file has one row of the new ones. They are committed in order.
    assert(files > 4 && files < 204 && !left.contains("_SUCCESS"), left)
    val count = files - 4 + 100
    val read = run("local[2]", "read", table.toString)
    assert(results(read).head.startsWith(s"read $count "), read)
    assert(left.count(_.startsWith(".spark-staging-")) == 1, left)
    assert(run("local[2]", "write", table.toString, "50").exit == 0)
    assert(results(run("local[2]", "read", table.toString)) == Seq("read 50 1225"))
    assert(names(table).filterNot(_.startsWith("part-")) == Seq("_SUCCESS"))
  }

  test("a file that may not be read, or a directory that may not be written, is an error") {
    val table = Path.of(at("denied"), "table")
    assert(run("local[2]", "write", table.toString, "100").exit == 0)
    // As root, but without root's right to open everything.
    val asAnyone = Seq("setpriv", "--bounding-set", "-dac_override,-dac_read_search")
    def tried(verb: String, args: String*): Run =
      submitted(asAnyone, "local[2]", verb, table.toString +: args)
    val secret = table.resolve(names(table).filter(_.startsWith("part-")).head)
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"))
    val unread = tried("read")
    assert(unread.exit != 0 && unread.out.contains("Permission denied"), unread)
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"))
    Files.setPosixFilePermissions(table, PosixFilePermissions.fromString("r-xr-xr-x"))
    val before = names(table)
    val unwritten = tried("append", "200")
    assert(unwritten.exit != 0 && unwritten.out.contains("Mkdirs failed to create"), unwritten)
    assert(names(table) == before)
    assert(results(tried("read")) == Seq("read 100 4950"))
    Files.setPosixFilePermissions(table, PosixFilePermissions.fromString("rwxr-xr-x"))
  }
}
