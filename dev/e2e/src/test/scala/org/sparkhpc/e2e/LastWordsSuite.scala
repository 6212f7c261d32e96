package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite

/** Programs that fail for a setting or for scratch: the last line says what and where, and what to do. */
class LastWordsSuite extends AnyFunSuite with Scratch {
  import LastWordsSuite._

  /** A quiet log, as the site module has it: a bare distribution's has all that Spark says at INFO. */
  private lazy val quiet: Path = Files.copy(
    Dist.patched.home.resolve("conf/log4j2.properties.template"),
    directory("conf").resolve("log4j2.properties")
  )

  private def submit(settings: (String, String)*): Seq[String] = submitTo("local[2]", settings)

  private def submitTo(master: String, settings: Seq[(String, String)]): Seq[String] =
    Submit.quickly(Dist.patched) ++ Seq(
      "--master",
      master,
      "--conf",
      "spark.ui.enabled=false",
      "--driver-java-options",
      s"-Dlog4j2.configurationFile=file:$quiet"
    ) ++
      settings.flatMap { case (key, value) => Seq("--conf", s"$key=$value") }

  private def program(pairs: Int): Seq[String] =
    Seq(
      "--class",
      "org.apache.spark.examples.hpc.GroupByTest",
      Dist.patched.examplesJar.toString
    ) ++
      Seq("--maps", "4", "--reduces", "4", "--pairs-per-map", pairs.toString)

  private def few: Seq[String] = program(2000)

  private def failed(command: Seq[String], env: Map[String, String] = Map.empty): Seq[String] = {
    val run = Run(command, scratch, env)
    assert(run.exit != 0, run)
    (run.out + run.err).linesIterator.filter(_.trim.nonEmpty).toList
  }

  /** What the program said, of which the last line is ours. */
  private def said(command: Seq[String], env: Map[String, String] = Map.empty): Seq[String] = {
    val lines = failed(command, env)
    assert(lines.lastOption.exists(_.startsWith(Ours)), lines.mkString("\n"))
    lines
  }

  /** Ours, behind what the program said of its job; after that only another task of this process may say something. */
  private def saidOfJob(command: Seq[String]): String = {
    val lines = failed(command)
    val ours = lines.dropWhile(!_.startsWith("GroupByTest: ")).filter(_.startsWith(Ours))
    assert(ours.size == 1, lines.mkString("\n"))
    ours.head
  }

  /** What an application with each of these settings was refused with before anything started, in few lines; the last
    * one's is the program's last line.
    */
  private def refusals(settings: String*): Seq[String] = {
    val program = Seq("--class", "org.sparkhpc.apps.Refusals", Apps.jar.toString)
    val lines = said(submit() ++ program ++ settings)
    val messages = lines.filter(_.startsWith(Refused)).map(_.stripPrefix(Refused))
    assert(messages.size == settings.size, lines.mkString("\n"))
    assert(lines.last == Ours + messages.last, lines.mkString("\n"))
    assert(!lines.exists(_.startsWith("\tat ")), lines.mkString("\n"))
    // Spark itself says where the context before was created, so the lines between aren't counted.
    val first = lines.takeWhile(!_.startsWith(Refused))
    val last = lines.reverse.takeWhile(!_.startsWith(Refused))
    assert(first.size + last.size <= 12, lines.mkString("\n"))
    messages
  }

  test("a mistyped setting, a wrong value, and directories in which nothing can be made") {
    val absent = scratch.resolve("absent")
    val file = Files.createFile(scratch.resolve("file"))
    val Seq(mistyped, wrong, scratchy, shared, local) = refusals(
      "spark.hpc.retention.polcy=lrc",
      "spark.hpc.pool.size=none",
      s"spark.hpc.scratch.tiers=local:$absent/dir",
      s"spark.hpc.shuffle.placement=global,spark.hpc.shuffle.directory=$absent/dir",
      s"spark.local.dir=$file/dir"
    )
    assert(mistyped.endsWith("write spark.hpc.retention.policy if that was meant"), mistyped)
    assert(
      wrong == "spark.hpc.pool.size is 'none': write a number of files above 0, such as 512"
    )
    // One whose name is mistyped isn't made.
    assert(scratchy.contains(s"$absent is no directory: make it"), scratchy)
    assert(
      shared.startsWith(
        s"spark.hpc.shuffle.directory=$absent/dir is no directory"
      ) && shared.contains(s"$absent is no"),
      shared
    )
    assert(!Files.exists(absent))
    assert(
      local.startsWith(s"spark.local.dir is '$file/dir'") && local.contains(s"$file is a file"),
      local
    )
  }

  test("tiers that are full") {
    val tiers = s"local:${directory("full")}?capacity=4k"
    val line = saidOfJob(submit("spark.hpc.scratch.tiers" -> tiers) ++ few)
    assert(
      line.contains("No scratch tier takes ") && line.contains(
        "Give spark.hpc.scratch.tiers more room"
      ),
      line
    )
    assert(line.contains("of 4096 bytes used"), line)
  }

  /** A command in a mount namespace of its own, where the directory is a file system of 16 MiB. */
  private def onSmall(directory: Path, command: Seq[String]): Seq[String] =
    Seq(
      "unshare",
      "--mount",
      "sh",
      "-c",
      s"""mount -t tmpfs -o size=16m none $directory && exec "$$@" """.trim,
      "sh"
    ) ++ command

  private def needsMounts(): Unit = {
    val probe = Run(onSmall(directory("probe"), Seq("true")), scratch)
    Needs(probe.exit == 0, s"root, for a small file system: ${probe.err}")
  }

  test("a full spark.local.dir, and a full shared directory") {
    needsMounts()
    val small = directory("small")
    val large = Seq("--conf", "spark.shuffle.compress=false")
    val local =
      saidOfJob(onSmall(
        small,
        submit("spark.local.dir" -> small.toString) ++ large ++ program(60000)
      ))
    assert(local.contains("spark.local.dir refused a write: No space left on device"), local)
    assert(local.contains("spark.hpc.scratch.tiers"), local)
    val global = submit(
      "spark.local.dir" -> directory("local").toString,
      "spark.hpc.shuffle.placement" -> "global",
      "spark.hpc.shuffle.directory" -> small.toString
    )
    val shared = saidOfJob(onSmall(small, global ++ large ++ program(60000)))
    assert(
      shared.contains("spark.hpc.shuffle.directory refused a write: ") && shared.contains(
        "No space left on device"
      ),
      shared
    )
  }

  test("an executor whose spark.local.dir became read-only") {
    needsMounts()
    val small = directory("soon-read-only")
    val settings =
      Seq("spark.local.dir" -> small.toString, "spark.deploy.maxExecutorRetries" -> "1")
    val command = submitTo("local-cluster[1,1,1024]", settings) ++ Seq(
      PythonEnvironment.script("read_only.py"),
      small.toString
    )
    val lines = said(onSmall(small, command), Map("PYSPARK_PYTHON" -> PythonEnvironment.python))
    val ours = lines.last
    assert(ours.contains("could write to no directory of spark.local.dir"), lines.mkString("\n"))
    assert(ours.contains("spark.hpc.scratch.tiers"), ours)
    assert(lines.exists(_.contains("WARN ScratchFailures: Executor ")), lines.mkString("\n"))
  }

  test("in Python, behind its traceback") {
    val script = Files.write(
      scratch.resolve("refused.py"),
      "from pyspark.sql import SparkSession\nSparkSession.builder.getOrCreate()\n".getBytes("UTF-8")
    )
    val command = submit("spark.hpc.shuffle.rout" -> "direct") :+ script.toString
    val lines = said(command, Map("PYSPARK_PYTHON" -> PythonEnvironment.python))
    assert(
      lines.exists(_.startsWith("Traceback")) && lines.last.contains("spark.hpc.shuffle.route"),
      lines.mkString("\n")
    )
  }
}

object LastWordsSuite {
  private val Ours = "spark-hpc: "
  private val Refused = "refused=org.apache.spark.Refusal: "
}
