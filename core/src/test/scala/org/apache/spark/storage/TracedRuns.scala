package org.apache.spark.storage

import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._

import org.apache.spark.SparkContext
import org.apache.spark.util.Utils
import org.sparkhpc.retain.trace.{TraceEvent, TraceReader}

/** Runs programs that are short of memory, and reads the traces of the events of their cached blocks. */
trait TracedRuns extends ShortOfMemory {

  def traced(settings: (String, String)*)(program: SparkContext => Unit): Seq[TraceEvent] = {
    val dir = Files.createTempDirectory("traces")
    try {
      val all = settings :+ ("spark.hpc.retention.trace" -> dir.toString)
      withContext(all: _*)(program)
      events(dir)
    } finally Utils.deleteRecursively(dir.toFile)
  }

  private def events(dir: Path): Seq[TraceEvent] = {
    val files = Files.newDirectoryStream(dir, "*-driver.trace")
    val in =
      try Files.newInputStream(files.iterator.asScala.next())
      finally files.close()
    try {
      val reader = new TraceReader(in)
      val all = reader.toVector
      assert(reader.isWhole)
      all
    } finally in.close()
  }
}
