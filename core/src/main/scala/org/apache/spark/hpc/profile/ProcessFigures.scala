package org.apache.spark.hpc.profile

import java.io.IOException
import java.lang.management.{BufferPoolMXBean, ManagementFactory}
import java.nio.charset.StandardCharsets.ISO_8859_1
import java.nio.file.{Files, Path, Paths}

import scala.collection.JavaConverters._

/** The memory of this process and of its node, in bytes, and what the process has read and written:
  *
  *  - `process.heap`: the used part of the heap; `process.direct`: direct buffers; `process.rss`: all memory that is in RAM
  *  - `process.read`, `process.written`: bytes of all reads and writes, files and sockets
  *  - `node.available`, `node.cached`, `node.shared`: MemAvailable, Cached and Shmem of `/proc/meminfo`. A tmpfs is part of
  *    both of the last two
  *
  * A figure that this system does not have is left out.
  */
private[profile] object ProcessFigures {

  def now(): Map[String, Double] = {
    val heap = ManagementFactory.getMemoryMXBean.getHeapMemoryUsage.getUsed
    val buffers = ManagementFactory.getPlatformMXBeans(classOf[BufferPoolMXBean]).asScala
    val direct = buffers.filter(_.getName == "direct").map(_.getMemoryUsed).sum
    Map("process.heap" -> heap.toDouble, "process.direct" -> direct.toDouble) ++
      ofLines(Paths.get("/proc/self/status"), Map("VmRSS" -> "process.rss")) ++
      ofLines(
        Paths.get("/proc/self/io"),
        Map("rchar" -> "process.read", "wchar" -> "process.written")
      ) ++
      ofLines(Paths.get("/proc/meminfo"), NodeFigures)
  }

  private val NodeFigures =
    Map("MemAvailable" -> "node.available", "Cached" -> "node.cached", "Shmem" -> "node.shared")

  private val Line = """(\w+):\s+(\d+)( kB)?""".r

  private def ofLines(file: Path, names: Map[String, String]): Map[String, Double] =
    lines(file).collect {
      case Line(name, value, unit) if names.contains(name) =>
        names(name) -> value.toDouble * (if (unit == null) 1 else 1024)
    }.toMap

  /** The lines of a file; none if it can't be read. */
  private[profile] def lines(file: Path): Seq[String] =
    try Files.readAllLines(file, ISO_8859_1).asScala
    catch { case _: IOException => Seq.empty }
}
