package org.apache.spark.examples.hpc

import java.io.File
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

import org.scalatest.{BeforeAndAfterAll, Suite}

/** A directory for one suite's files, gone when the suite is over. */
trait TemporaryFiles extends BeforeAndAfterAll { this: Suite =>
  private lazy val root: Path = {
    // The build points java.io.tmpdir below target/, where nobody has made it yet.
    Files.createDirectories(new File(System.getProperty("java.io.tmpdir")).toPath)
    Files.createTempDirectory(getClass.getSimpleName)
  }
  private val names = Iterator.from(0)

  /** A path where nothing is yet. */
  def fresh(name: String): Path =
    Files.createDirectory(root.resolve(s"${names.next()}")).resolve(name)

  def file(text: String, name: String = "graph.txt"): Path =
    Files.write(fresh(name), text.getBytes(UTF_8))

  /** What Spark wrote: the part files one after the other. */
  def written(directory: Path): String =
    directory.toFile.listFiles.filter(_.getName.startsWith("part-")).sorted
      .map(part => new String(Files.readAllBytes(part.toPath), UTF_8)).mkString

  override protected def afterAll(): Unit =
    try super.afterAll()
    finally delete(root.toFile)

  private def delete(file: File): Unit = {
    Option(file.listFiles).foreach(_.foreach(delete))
    Files.deleteIfExists(file.toPath)
  }
}
