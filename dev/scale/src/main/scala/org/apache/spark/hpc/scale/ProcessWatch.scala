package org.apache.spark.hpc.scale

import java.io.IOException
import java.nio.charset.StandardCharsets.US_ASCII
import java.nio.file.{Files, Paths}

import scala.collection.JavaConverters._

/** The most sockets, open files and memory of a process of this node, sampled until `stop`, and its CPU time. All values
  * are on top of those at the beginning.
  */
private[scale] final class ProcessWatch(pid: Long) {
  private val process = Paths.get(s"/proc/$pid")
  private val before = sample()
  private var most = before
  @volatile private var isOver = false

  private val thread = new Thread("process-watch") {
    override def run(): Unit = while (!isOver) {
      most = most.max(sample())
      Thread.sleep(20)
    }
  }
  thread.start()

  def stop(): String = {
    isOver = true
    thread.join()
    val cpu = (sample().ticks - before.ticks) / ProcessWatch.TicksPerSecond
    f"sockets:${most.sockets - before.sockets} files:${most.files - before.files} " +
      f"memoryMb:${(most.kilobytes - before.kilobytes) / 1024} cpu:$cpu%.1f"
  }

  private def sample(): ProcessWatch.Sample = {
    val links = Files.list(process.resolve("fd"))
    val open =
      try links.iterator().asScala.flatMap { link =>
          try Some(Files.readSymbolicLink(link).toString)
          catch { case _: IOException => None } // closed meanwhile
        }.toList
      finally links.close()
    val stat = read("stat").split("\\) ").last.split(' ')
    val resident = read("status").linesIterator.find(_.startsWith("VmRSS:")).get
    ProcessWatch.Sample(
      open.count(_.startsWith("socket:")),
      open.count(_.startsWith("/")),
      resident.split("\\s+")(1).toLong,
      stat(11).toLong + stat(12).toLong
    )
  }

  private def read(name: String): String =
    new String(Files.readAllBytes(process.resolve(name)), US_ASCII)
}

private object ProcessWatch {
  private val TicksPerSecond = 100.0

  private final case class Sample(sockets: Int, files: Int, kilobytes: Long, ticks: Long) {
    def max(other: Sample): Sample = Sample(
      math.max(sockets, other.sockets),
      math.max(files, other.files),
      math.max(kilobytes, other.kilobytes),
      math.max(ticks, other.ticks)
    )
  }
}
