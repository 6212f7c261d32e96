package org.sparkhpc.e2e

import java.nio.file.{Files, Path, StandardOpenOption}
import java.nio.file.attribute.PosixFilePermissions

import scala.collection.JavaConverters._
import scala.concurrent.duration._

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow

/** Applications' own files on an emulated Lustre, which the mount table tells. */
class FilesSuite extends AnyFunSuite with Scratch {

  private lazy val pfs = new Pfs(directory("pfs"))

  override protected def afterAll(): Unit =
    try begun.foreach(_.close())
    finally
      try pfs.close()
      finally super.afterAll()

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))

  private def program(master: String, words: Seq[String]): Seq[String] =
    Submit.quickly(dist) ++ Seq("--master", master) ++
      Seq("--conf", "spark.ui.enabled=false", PythonEnvironment.script("files.py")) ++ words

  private lazy val env = Map("PYSPARK_PYTHON" -> PythonEnvironment.python)

  /** An application on two executors that runs one step after the other, such as
    * `write DIRECTORY 100`: root's, but without root's right to open everything.
    */
  private final class Steps extends AutoCloseable {
    // Spark doesn't pass standard input on to a program in Python.
    private val file = Files.createTempFile(scratch, "steps-", "")
    private val said = Files.createFile(file.resolveSibling(s"${file.getFileName}.said"))
    private val anyone = Seq("setpriv", "--bounding-set", "-dac_override,-dac_read_search")
    private val words = Seq("steps", file.toString)
    private val driver = Started(anyone ++ program(Submit.LocalCluster, words), scratch, env)
    private var ended = 0

    def log: String = driver.said

    /** Returns the results of a step; the last one is "done", or "failed" with the error. */
    def apply(words: String*): Seq[String] = {
      tell(words.mkString(" "))
      val all = Patience.until(s"end of ${words.mkString(" ")}", 5.minutes) {
        // An assertion would read the log each time.
        if (!driver.isAlive) fail(log)
        Some(results.drop(ended)).filter(_.lastOption.exists(_.matches("done|failed .*")))
      }(log)
      ended += all.size
      all
    }

    private def results: Seq[String] =
      // The last line may not be complete yet.
      Run.read(said).split("(?<=\n)").filter(_.endsWith("\n")).map(_.stripPrefix("result ").trim)
        .toSeq

    private def tell(line: String): Unit =
      Files.write(file, Seq(line).asJava, StandardOpenOption.APPEND): Unit

    override def close(): Unit = {
      tell("end")
      driver.close()
    }
  }

  private val Done = Seq("done")
  private def failed(why: String): Seq[String] = Seq(s"failed $why")
  private var begun = Option.empty[Steps]
  private def steps: Steps = begun.getOrElse {
    begun = Some(new Steps)
    begun.get
  }

  private def at(name: String): String =
    Files.createDirectories(Path.of(pfs.mount, name)).toString

  test("files that tasks, the driver and another Spark change are read as they are now", Slow) {
    val stock = Dist.stock.placedIn(scratch.resolve("stock"))
    // Another Spark's files have checksum files beside them, which it verifies.
    val right = Seq(
      "rounds 0 of 24 wrong",
      "another's 10",
      "another's checksum files True",
      "mine True",
      "checksum files 0"
    )
    assert(steps("rounds", at("rounds"), stock.home.toString) == right ++ Done, steps.log)
  }

  test("a file that is deleted or cut off after the listing is an error, a replaced one is read") {
    // Four files of 250 rows, of which one took another's place.
    val right =
      Seq("deleted does not exist", "replaced 1000 750", "cut off is not a Parquet file")
    assert(steps("lost", at("lost")) == right ++ Done, steps.log)
  }

  test("a file system that fails is an error, and loses nothing") {
    val table = at("faults") + "/table"
    def tried(verb: String, args: String*)(faults: String*): Seq[String] = {
      pfs.fault(faults: _*)
      try steps(verb +: table +: args: _*)
      finally pfs.clear()
    }
    assert(steps("write", table, "100") == Done)
    assert(tried("read")("EIO", "--kind", "open") == failed("Input/output error"))
    val unwritten = tried("write", "200")("ENOSPC", "--kind", "create", "--after", "2")
    assert(unwritten == failed("No space left on device"))
    // An overwrite has deleted the old rows, in stock Spark, too; no part of the new ones is there.
    val left =
      Closing(Files.walk(Path.of(table)))(_.iterator.asScala.filter(Files.isRegularFile(_)).toSeq)
    assert(left.isEmpty, unwritten)
    assert(steps("write", table, "100") == Done)
    assert(steps("read", table) == "read 100 4950" +: Done)
  }

  private def names(directory: Path): Seq[String] =
    Closing(Files.list(directory))(_.iterator.asScala.map(_.getFileName.toString).toList).sorted

  test("an executor that is killed while it writes leaves nothing, and its rows are there once") {
    val table = Path.of(at("killed"), "table")
    assert(steps("write", table.toString, "100") == Done)
    assert(steps("killed", table.toString, "200") == Done, steps.log)
    assert(steps.log.contains("exited with code 137"), steps.log)
    assert(steps("read", table.toString) == "read 300 44850" +: Done)
    assert(names(table).filterNot(_.startsWith("part-")) == Seq("_SUCCESS"))
    assert(names(table).size == 4 + 8 + 1)
  }

  test(
    "a driver that is killed in a commit leaves whole files, and the next write is as any",
    Slow
  ) {
    val table = Path.of(at("died"), "table")
    assert(steps("write", table.toString, "100") == Done)
    Files.delete(table.resolve("_SUCCESS"))
    // The commit takes a second or more: time enough to be killed in it, also on a busy machine.
    pfs.set("mds.median_us=5000")
    val ran =
      try Run(program("local[2]", Seq("die", table.toString, "200")), scratch, env)
      finally pfs.set("mds.median_us=338") // Edison's
    assert(ran.exit != 0, ran)
    val left = names(table)
    val files = left.count(_.startsWith("part-"))
    // A file has one row of the new ones. They are committed in order.
    assert(files > 4 && files < 204 && !left.contains("_SUCCESS"), left)
    val count = files - 4 + 100
    assert(steps("read", table.toString).head.startsWith(s"read $count "))
    assert(left.count(_.startsWith(".spark-staging-")) == 1, left)
    assert(steps("write", table.toString, "50") == Done)
    assert(steps("read", table.toString) == "read 50 1225" +: Done)
    assert(names(table).filterNot(_.startsWith("part-")) == Seq("_SUCCESS"))
  }

  test("a file that may not be read, or a directory that may not be written, is an error") {
    val table = Path.of(at("denied"), "table")
    assert(steps("write", table.toString, "100") == Done)
    val secret = table.resolve(names(table).filter(_.startsWith("part-")).head)
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"))
    assert(steps("read", table.toString) == failed("Permission denied"))
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"))
    Files.setPosixFilePermissions(table, PosixFilePermissions.fromString("r-xr-xr-x"))
    val before = names(table)
    assert(steps("append", table.toString, "200") == failed("Mkdirs failed to create"))
    assert(names(table) == before)
    assert(steps("read", table.toString) == "read 100 4950" +: Done)
    Files.setPosixFilePermissions(table, PosixFilePermissions.fromString("rwxr-xr-x"))
  }
}
