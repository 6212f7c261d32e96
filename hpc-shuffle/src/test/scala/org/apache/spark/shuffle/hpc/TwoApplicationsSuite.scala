package org.apache.spark.shuffle.hpc

import java.io.{BufferedReader, File, InputStreamReader, PrintWriter}
import java.lang.management.ManagementFactory
import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit

import scala.collection.JavaConverters._
import scala.io.StdIn

import org.apache.spark.SparkContext
import org.scalatest.funsuite.AnyFunSuite

/** Two applications, each in a process of its own, whose map outputs are in one shared directory. */
class TwoApplicationsSuite extends AnyFunSuite with ShuffleJobs {
  import TwoApplicationsSuite._

  private def root: Path = shared.resolve("spark")

  private def listed(directory: Path): Set[Path] = {
    val all = Files.list(directory)
    try all.iterator().asScala.toSet
    finally all.close()
  }

  private def files(application: Path): Set[String] =
    listed(application.resolve("shuffle-0")).map(_.getFileName.toString)

  test("both have the right results, and remove what is theirs") {
    val other = new Other(root)
    try {
      assert(other.say(Compute) == expected.toString)
      val Seq(others) = listed(root).toSeq
      withContext(settings(root): _*) { sc =>
        val jobs = new Jobs(sc)
        assert(jobs.compute() == expected.toString)
        val Seq(own) = (listed(root) - others).toSeq
        for (application <- Seq(own, others)) assert(files(application).contains(First))
        for (answer <- Seq(other.say(ReadAgain), jobs.readAgain())) assert(answer == Sum)
      }
      assert(listed(root) == Set(others))
      assert(other.say(ReadAgain) == Sum)
      assert(other.end() == 0)
      assert(listed(root).isEmpty)
    } finally other.kill()
  }

  /** This suite's `main` in a process of its own. */
  private final class Other(root: Path) {
    private val process = {
      val options = ManagementFactory.getRuntimeMXBean.getInputArguments.asScala :+
        s"-Dtest.log=${shared.resolve("other.log")}"
      val java = new File(System.getProperty("java.home"), "bin/java").getPath
      val program = Seq(TwoApplicationsSuite.getClass.getName.stripSuffix("$"), root.toString)
      val command =
        (java +: options) ++ Seq("-cp", System.getProperty("java.class.path")) ++ program
      new ProcessBuilder(command.asJava).redirectError(ProcessBuilder.Redirect.INHERIT).start()
    }
    private val to = new PrintWriter(process.getOutputStream, true)
    private val from = new BufferedReader(new InputStreamReader(process.getInputStream))

    /** Its answer. */
    def say(what: String): String = {
      to.println(what)
      from.readLine()
    }

    def end(): Int = {
      to.close()
      assert(process.waitFor(60, TimeUnit.SECONDS))
      process.exitValue()
    }

    def kill(): Unit = process.destroyForcibly(): Unit
  }
}

private[hpc] object TwoApplicationsSuite {
  private val Compute = "compute"
  private val ReadAgain = "read again"
  private val Sum = (0 until 2000).sum.toString

  // Of the shuffle 0 that each has.
  private val First = "driver-0.container"

  private def settings(root: Path): Seq[(String, String)] = Seq(
    "spark.hpc.shuffle.placement" -> "global",
    "spark.hpc.shuffle.directory" -> root.toString
  )

  /** What each application does. */
  private final class Jobs(sc: SparkContext) {
    private val grouped = sc.range(0, 2000, 1, 4).map(n => (n % 50, n)).groupByKey(3)

    def compute(): String = {
      readAgain()
      ShuffleJobs.results(sc).toString
    }

    /** Of the map outputs that are there since the first time. */
    def readAgain(): String = grouped.flatMap(_._2).sum().toLong.toString
  }

  /** Does and answers what is said, line by line, until nothing comes any more. */
  def main(args: Array[String]): Unit =
    ShuffleJobs.withContext(settings(new File(args(0)).toPath): _*) { sc =>
      val jobs = new Jobs(sc)
      Iterator.continually(StdIn.readLine()).takeWhile(_ != null).foreach {
        case Compute => println(jobs.compute())
        case ReadAgain => println(jobs.readAgain())
      }
    }
}
