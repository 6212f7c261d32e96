package org.sparkhpc.tier

import java.io.IOException
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths}

import scala.collection.JavaConverters._

/** How much memory this process's files in a tmpfs may take. They are charged to the control group of the process
  * that writes them, like the heap.
  */
object NodeMemory {

  /** The machine's memory, or the smallest limit of the process's control groups (v1 or v2) if that is less.
    *
    * @param root of the file system, for tests
    */
  def limit(root: Path = Paths.get("/")): Option[Long] = {
    val groups = lines(root.resolve("proc/self/cgroup")).flatMap { line =>
      line.split(":", 3) match {
        case Array(_, "", path) =>
          limits(root.resolve("sys/fs/cgroup"), path, "memory.max")
        case Array(_, controllers, path) if controllers.split(',').contains("memory") =>
          limits(root.resolve("sys/fs/cgroup/memory"), path, "memory.limit_in_bytes")
        case _ => Nil
      }
    }
    val machine = lines(root.resolve("proc/meminfo")).collectFirst { case Total(kib) =>
      kib.toLong << 10
    }
    (groups ++ machine).reduceOption(math.min(_, _))
  }

  /** Half of what an executor's heap leaves of its part of `limit`: the rest is for page cache and Python.
    *
    * @param executors that share the limit
    * @param others bytes that each of them needs besides its heap
    */
  def share(limit: Long, executors: Int, heap: Long, others: Long): Long =
    math.max(0, (limit / executors - heap - others) / 2)

  private val Total = raw"MemTotal:\s+(\d+) kB".r

  /** The limits of a group and of its ancestors. In a container the group's path may lead nowhere; then all
    * groups that are visible are its ancestors.
    */
  private def limits(base: Path, group: String, file: String): Seq[Long] = {
    val innermost = base.resolve(group.stripPrefix("/")).normalize
    val visible = if (innermost.startsWith(base)) innermost else base
    val groups = Iterator.iterate(visible)(_.getParent)
      .takeWhile(path => path != null && path.startsWith(base))
    groups.flatMap(path => lines(path.resolve(file)).headOption).map(_.trim)
      .filter(text => text.nonEmpty && text.forall(_.isDigit) && text.length < 19)
      .map(_.toLong).toList
  }

  private def lines(file: Path): Seq[String] =
    try Files.readAllLines(file, UTF_8).asScala
    catch { case _: IOException => Nil }
}
