package org.sparkhpc.apps

import java.io.IOException
import java.lang.management.ManagementFactory
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{FileAlreadyExistsException, Files, Path, Paths}

import scala.collection.JavaConverters._

import org.apache.spark.SparkEnv

/** What happens once to an executor, in the task that first comes to it; `notes` is a directory that
  * all executors see.
  *
  * @param what `executor`: this one is killed; `worker`: with its worker; `decommissioned`:
  *   as by its node's manager; `moving`: the same, and it ends without a word while it moves its map
  *   outputs to MOVED; `stopped`: the others are
  *   stopped until this one has read for a second reducer, see [[Losses]]; `node`: nothing reaches this
  *   one's address any more; `cancelled`: it
  *   waits until somebody kills its task; `fault` or `stall`: the testbed's file system has one,
  *   by the command FAULT, which gets its node's number and the word; anything else: nothing
  */
private[apps] final case class Loss(what: String, notes: String) {
  import Loss._

  def happen(): Unit = if (isFirst) {
    what match {
      case "executor" => kill(own)
      case "worker" => kill(parentOf(own), own)
      case "decommissioned" => run("kill", "-PWR", own)
      case "moving" =>
        haltAtFirstContainer(Paths.get(sys.env("MOVED")))
        run("kill", "-PWR", own)
      case "stopped" =>
        val others = executors.filterNot(_ == own)
        run("kill" +: "-STOP" +: others: _*)
        while (!others.forall(isStopped)) Thread.sleep(10)
        // Until this executor has read without them.
        val isOver = s"[ $$(ls $notes | grep -c '^reduced-${SparkEnv.get.executorId}-') -ge 2 ]"
        val wait = s"for i in $$(seq 600); do $isOver && break; sleep 0.1; done"
        new ProcessBuilder("sh", "-c", s"$wait; kill -CONT ${others.mkString(" ")}").start()
      case "fault" | "stall" => run(sys.env("FAULT"), sys.env("TESTBED_NODE"), what)
      case "cancelled" => Thread.sleep(60000)
      case "node" => run("ip", "addr", "del", s"$host/32", "dev", "lo")
      case _ =>
    }
  }

  private def isFirst: Boolean =
    try {
      Files.write(Files.createFile(victimOf(notes)), SparkEnv.get.executorId.getBytes(UTF_8))
      true
    } catch { case _: FileAlreadyExistsException => false }
}

private[apps] object Loss {

  /** The executor in which it happened. */
  def victim(notes: String): Option[String] =
    Some(victimOf(notes)).filter(Files.exists(_))
      .map(file => new String(Files.readAllBytes(file), UTF_8))

  private def victimOf(notes: String): Path = Paths.get(notes).resolve("victim")

  private def own: String = ManagementFactory.getRuntimeMXBean.getName.takeWhile(_ != '@')

  /** The executors of this one's application on this machine. */
  private def executors: Seq[String] = {
    val application = argument("--app-id")
    val all = Files.list(Paths.get("/proc"))
    try
      all.iterator().asScala.map(_.getFileName.toString).filter(_.forall(_.isDigit)).filter {
        process =>
          val command = commandOf(process)
          command.contains("--executor-id") && command.contains(application) &&
          command.head.endsWith("java")
      }.toList
    finally all.close()
  }

  private def host: String = argument("--hostname")

  /** What follows this option in the command line of this executor. */
  private def argument(option: String): String = commandOf(own).dropWhile(_ != option)(1)

  /** Nil for a process that is over. */
  private def commandOf(process: String): Seq[String] =
    try
      new String(Files.readAllBytes(Paths.get(s"/proc/$process/cmdline")), UTF_8).split(
        '\u0000'
      ).toSeq
    catch { case _: IOException => Nil }

  private def parentOf(process: String): String = stateAndParent(process)(1)

  private def isStopped(process: String): Boolean = stateAndParent(process).head == "T"

  /** As in proc(5), where a name in parentheses stands before them. */
  private def stateAndParent(process: String): Seq[String] = {
    val stat = new String(Files.readAllBytes(Paths.get(s"/proc/$process/stat")), UTF_8)
    stat.drop(stat.lastIndexOf(')') + 2).split(' ').toSeq
  }

  private def kill(processes: String*): Unit = {
    run("kill" +: "-9" +: processes: _*)
    Thread.sleep(60000)
    throw new IllegalStateException("this executor outlives its end")
  }

  private def haltAtFirstContainer(below: Path): Unit = {
    val watch = new Thread(() => {
      while (!FilesBelow(below).exists(_.toString.endsWith(".container"))) Thread.sleep(1)
      Runtime.getRuntime.halt(137)
    })
    watch.setDaemon(true)
    watch.start()
  }

  private def run(command: String*): Unit = {
    val exit = new ProcessBuilder(command: _*).inheritIO().start().waitFor()
    if (exit != 0) throw new IllegalStateException(s"${command.mkString(" ")}: exit $exit")
  }
}
