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
  *  - `cgroup.used`, `cgroup.limit`: the memory of the job's control group
  *
  * A figure that this system does not have is left out.
  */
private[profile] object ProcessFigures {

  def now(): Map[String, Double] = {
    val heap = ManagementFactory.getMemoryMXBean.getHeapMemoryUsage.getUsed
    val direct =
      ManagementFactory.getPlatformMXBeans(classOf[BufferPoolMXBean]).asScala.map(
        _.getMemoryUsed
      ).sum
    Map("process.heap" -> heap.toDouble, "process.direct" -> direct.toDouble) ++
      ofLines(Paths.get("/proc/self/status"), Map("VmRSS" -> "process.rss")) ++
      ofLines(
        Paths.get("/proc/self/io"),
        Map("rchar" -> "process.read", "wchar" -> "process.written")
      ) ++
      ofLines(Paths.get("/proc/meminfo"), NodeFigures) ++
      ofCgroup
  }

  private val NodeFigures =
    Map("MemAvailable" -> "node.available", "Cached" -> "node.cached", "Shmem" -> "node.shared")

  private val Line = """(\w+):\s+(\d+)( kB)?""".r

  private def ofLines(file: Path, names: Map[String, String]): Map[String, Double] =
    lines(file).collect {
      case Line(name, value, unit) if names.contains(name) =>
        names(name) -> value.toDouble * (if (unit == null) 1 else 1024)
    }.toMap

  /** This process's directory in the hierarchy of control groups, version 2 or 1. */
  private lazy val cgroup: Option[(Path, String, String)] = {
    val memberships = lines(Paths.get("/proc/self/cgroup")).map(_.split(":", 3)).collect {
      case Array(_, kinds, path) =>
        (kinds, path.stripPrefix("/"))
    }
    val root = Paths.get("/sys/fs/cgroup")
    val candidates = memberships.collect {
      case ("", path) => (root.resolve(path), "memory.current", "memory.max")
      case (kinds, path) if kinds.split(',').contains("memory") =>
        (root.resolve("memory").resolve(path), "memory.usage_in_bytes", "memory.limit_in_bytes")
    }
    candidates.find { case (directory, used, _) => Files.isReadable(directory.resolve(used)) }
  }

  private def ofCgroup: Map[String, Double] =
    cgroup.fold(Map.empty[String, Double]) { case (directory, used, limit) =>
      Seq("cgroup.used" -> used, "cgroup.limit" -> limit).flatMap { case (name, file) =>
        // A limit can be the word max.
        lines(directory.resolve(file)).headOption.filter(_.matches("[0-9]{1,18}")).map(
          name -> _.toDouble
        )
      }.toMap
    }

  private def lines(file: Path): Seq[String] =
    try Files.readAllLines(file, ISO_8859_1).asScala
    catch { case _: IOException => Seq.empty }
}
