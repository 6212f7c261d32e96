package org.sparkhpc.hadoop

import java.nio.charset.StandardCharsets
import java.nio.file.{Files, Paths}

import scala.collection.JavaConverters._
import scala.util.Try

/** The permissions that the kernel takes away from what this process creates. Java code can't change them. */
private[hadoop] object Umask {

  /** None if the kernel doesn't tell (before Linux 4.7). */
  val ofProcess: Option[Int] = Try {
    Files.readAllLines(Paths.get("/proc/self/status"), StandardCharsets.UTF_8).asScala
      .collectFirst { case Line(mask) => Integer.parseInt(mask, 8) }
  }.toOption.flatten

  private lazy val Line = """Umask:\s*([0-7]+)""".r

  /** Whether what is created without saying so has just this mode. */
  def gives(mode: Int, asked: Int): Boolean = ofProcess.exists(mask => (asked & ~mask) == mode)
}
