package org.sparkhpc.e2e

import java.nio.file.{Files, Path, Paths}
import java.util.Comparator

import scala.collection.JavaConverters._
import scala.concurrent.duration._
import scala.util.Try

import org.scalatest.{BeforeAndAfterAll, Suite}

/** A directory for a suite's files, gone at its end. */
trait Scratch extends BeforeAndAfterAll { this: Suite =>

  /** Open to other users, as the suites that change user need it: so it isn't below someone's home. */
  protected lazy val scratch: Path = {
    val parent = Paths.get(sys.env.getOrElse("HPC_TEST_SCRATCH", "/tmp"))
    val directory = Files.createTempDirectory(parent, s"hpc-${getClass.getSimpleName}-")
    Scratch.open(directory)
    directory
  }

  protected def directory(name: String): Path = Files.createDirectories(scratch.resolve(name))

  override protected def afterAll(): Unit =
    try super.afterAll()
    finally Scratch.delete(scratch)
}

object Scratch {

  // As /tmp: where everybody can rename what others made, Spark-HPC puts no scratch.
  private val WritableAndSticky = 0x3ff

  def open(directory: Path): Unit =
    Files.setAttribute(directory, "unix:mode", WritableAndSticky): Unit

  /** Processes that end may still make or delete something there. */
  def delete(directory: Path): Unit =
    Patience.until(s"removal of $directory", 30.seconds)(
      Try(Closing(Files.walk(directory)) { files =>
        files.sorted(Comparator.reverseOrder[Path]).iterator().asScala.foreach(Files.deleteIfExists)
      }).toOption
    )(FilesBelow(directory).mkString("\n"))
}
