package org.sparkhpc.e2e

import java.io.File
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit.SECONDS

import scala.collection.JavaConverters._

/** A command that is over: its exit code and what it printed. */
final case class Run(command: Seq[String], exit: Int, out: String, err: String) {

  def lines: Seq[String] = out.linesIterator.toSeq

  /** Shown by a failed assertion. */
  override def toString: String =
    s"${command.mkString(" ")}\n  exit $exit\n--- out\n$out\n--- err\n${err.takeRight(8000)}"
}

object Run {

  /** Of the user's settings none may reach a test. */
  private val foreign =
    Seq("SPARK_", "PYSPARK_", "PYTHON", "HADOOP_", "YARN_", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS")

  private val JavaOptions = "JDK_JAVA_OPTIONS"

  // Most processes live for seconds, of which compiling well would take the half.
  private[e2e] val CompileQuickly = "-XX:TieredStopAtLevel=1"

  /** Waits for the end; a process that takes longer is killed with all that it started. Without `seconds` the test's
    * limit is the only one, which shows more.
    */
  def apply(
      command: Seq[String],
      dir: Path,
      env: Map[String, String] = Map.empty,
      input: String = "",
      seconds: Int = Int.MaxValue
  ): Run = {
    val files = Seq("in", "out", "err").map(name => Files.createTempFile(dir, "run-", "." + name))
    val Seq(in, out, err) = files
    Files.write(in, input.getBytes(UTF_8))
    val process = builder(command, dir.toFile, env)
      .redirectInput(in.toFile)
      .redirectOutput(out.toFile)
      .redirectError(err.toFile)
      .start()
    try {
      val ended = process.waitFor(seconds.toLong, SECONDS)
      val exit = if (ended) process.exitValue() else -1
      val run = Run(command, exit, read(out), withoutNote(read(err)))
      if (ended) run else throw new AssertionError(s"not over after $seconds seconds: $run")
    } finally {
      kill(process.toHandle)
      files.foreach(Files.delete)
    }
  }

  /** Java says with which options it starts. */
  private def withoutNote(err: String): String =
    err.linesWithSeparators.filterNot(_.startsWith(s"NOTE: Picked up $JavaOptions")).mkString

  def kill(process: ProcessHandle): Unit = {
    val all = process.descendants().iterator().asScala.toSeq :+ process
    all.foreach(_.destroyForcibly())
  }

  private[e2e] def builder(command: Seq[String], dir: File, env: Map[String, String]) = {
    val builder = new ProcessBuilder(command.asJava).directory(dir)
    val environment = builder.environment()
    environment.keySet().removeIf(name => foreign.exists(prefix => name.startsWith(prefix)))
    environment.put("SPARK_LOCAL_IP", "127.0.0.1")
    environment.put(JavaOptions, CompileQuickly)
    // Several tests share the distribution's files: Python must not add compiled ones.
    environment.put("PYTHONDONTWRITEBYTECODE", "1")
    environment.putAll(env.asJava)
    builder
  }

  def read(file: Path): String = new String(Files.readAllBytes(file), UTF_8)
}
