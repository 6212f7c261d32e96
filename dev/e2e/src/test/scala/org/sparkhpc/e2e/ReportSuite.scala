package org.sparkhpc.e2e

import java.nio.file.{Files, Paths}

import scala.collection.JavaConverters._

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import org.scalatest.funsuite.AnyFunSuite

/** Programs with one bottleneck each: the report on their event log names it. Programs without one: it names none. */
class ReportSuite extends AnyFunSuite with Scratch {

  private val numbers = Iterator.from(1)

  private def logged(name: String): Seq[(String, String)] = Seq(
    "spark.eventLog.enabled" -> "true",
    "spark.eventLog.dir" -> directory(s"$name-log").toUri.toString
  )

  private def logOf(name: String): String =
    Files.list(directory(s"$name-log")).iterator.asScala.toSeq match {
      case Seq(log) => log.toString
    }

  private def report(words: String*): Run = {
    val command = Dist.patched.bin("spark-class") +: "org.apache.spark.hpc.report.Report" +: words
    val run = Run(command, scratch, Map("JDK_JAVA_OPTIONS" -> Run.CompileQuickly))
    assert(run.exit == 0, run)
    assert(!run.err.contains("WARN"), run)
    run
  }

  private def jsonOf(name: String): JsonNode = {
    val file = scratch.resolve(s"$name.json")
    report("--json", file.toString, logOf(name))
    new ObjectMapper().readTree(file.toFile)
  }

  /** The report on a program of [[org.sparkhpc.apps]].Planted. */
  private def planted(kind: String, settings: (String, String)*)(args: String*): JsonNode = {
    val name = s"$kind-${numbers.next()}"
    val submit =
      Submit(Dist.patched, Submit.LocalCluster, "Planted", logged(name) ++ settings, kind +: args)
    val run = submit.run(scratch)
    assert(run.exit == 0, run)
    jsonOf(name)
  }

  private def assertFound(cause: String, report: JsonNode): Unit = {
    assert(report.at("/finding/cause").asText == cause, report.get("findings"))
    assertAddsUp(report)
  }

  private def assertNone(report: JsonNode): Unit = {
    assert(report.get("finding").isNull, report.get("findings"))
    assertAddsUp(report)
  }

  /** The parts of each stage's time are its tasks' time, and most of it was seen by samples. */
  private def assertAddsUp(report: JsonNode): Unit = {
    val stages = report.get("stages").elements.asScala.toSeq
    assert(stages.nonEmpty)
    for (stage <- stages) {
      val whole = stage.get("taskMillis").asDouble
      val parts = stage.get("split").elements.asScala.map(_.asDouble).sum
      assert(math.abs(parts - whole) <= 0.02 * whole, stage)
    }
    assert(stages.exists(_.get("samples").size > 0))
  }

  private def slowly(settings: String*)(test: Pfs => Unit): Unit =
    Closing(new Pfs(directory("pfs"), settings = settings))(test)

  test("a sound program has no bottleneck") {
    assertNone(planted("nothing")())
    assertNone(planted("nothing-shuffled")())
  }

  test("a slow metadata server") {
    slowly("mds.median_us=20000", "client.cache=0") { pfs =>
      assertFound("metadata", planted("metadata")(pfs.mount))
    }
  }

  // Blocks that the kernel still has are no requests.
  private val slowData = Seq("ost.median_us=20000", "ost.bandwidth_mb=4", "client.cache=0")

  test("slow data servers, and memory too short for the cache on them") {
    slowly(slowData: _*) { pfs =>
      val tiers = "spark.hpc.scratch.tiers" -> s"global:${pfs.mount}"
      val shared = Seq(
        "spark.hpc.shuffle.placement" -> "global",
        "spark.hpc.shuffle.directory" -> s"${pfs.mount}/shuffles"
      )
      assertFound("data", planted("data", tiers +: shared: _*)())
      // 7 MB for the blocks of an executor, of which there are 16 MB.
      assertFound("cache", planted("cache", tiers, "spark.memory.fraction" -> "0.01")())
    }
  }

  test("a full memory tier before slow data servers") {
    slowly(slowData: _*) { pfs =>
      val memory = Paths.get("/dev/shm", scratch.getFileName.toString)
      Files.createDirectories(memory)
      try {
        val tiers = s"memory:$memory?capacity=2m,global:${pfs.mount}"
        assertFound("fullTier", planted("data", "spark.hpc.scratch.tiers" -> tiers)())
      } finally FilesBelow(memory).foreach(file => Files.deleteIfExists(file))
    }
  }

  test("one key that has most of the records") {
    assertFound("skew", planted("skew")())
  }

  test("too many small partitions") {
    assertFound("smallTasks", planted("smallTasks")())
  }

  test("an executor that is lost with its map outputs") {
    assertFound("lostOutputs", planted("lostOutputs")(directory("notes").toString))
  }

  test("a slow Python function") {
    val settings = logged("python").flatMap { case (key, value) => Seq("--conf", s"$key=$value") }
    val command =
      Submit.quickly(Dist.patched) ++ Seq("--master", Submit.LocalCluster) ++ settings :+
        PythonEnvironment.script("planted.py")
    val run = Run(command, scratch, Map("PYSPARK_PYTHON" -> PythonEnvironment.python))
    assert(run.exit == 0, run)
    assertFound("python", jsonOf("python"))
  }

  test("stock Spark's event log has what stock Spark measures") {
    val submit = Submit(Dist.stock, Submit.LocalCluster, "Planted", logged("stock"), Seq("skew"))
    val run = submit.run(scratch)
    assert(run.exit == 0, run)
    val stock = jsonOf("stock")
    assert(stock.at("/finding/cause").asText == "skew", stock.get("findings"))
    assert(stock.get("stages").elements.asScala.forall(_.get("samples").size == 0))
    val compared = report("--compare", logOf("stock"), logOf("stock"))
    assert(compared.out.contains("\nB: The bottleneck is one partition"), compared)
  }
}
