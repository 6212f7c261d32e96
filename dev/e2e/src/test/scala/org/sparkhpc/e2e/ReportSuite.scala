package org.sparkhpc.e2e

import java.nio.file.{Files, Path, Paths}

import scala.collection.JavaConverters._
import scala.util.Try

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import org.scalatest.funsuite.AnyFunSuite

/** Programs with one bottleneck each: the report on their event log names it. Programs without one: it names none. */
class ReportSuite extends AnyFunSuite with Scratch {
  import ReportSuite._

  private def logged(name: String): Seq[(String, String)] = Seq(
    "spark.eventLog.enabled" -> "true",
    "spark.eventLog.dir" -> directory(s"$name-log").toUri.toString
  )

  private def logOf(name: String): String =
    Files.list(directory(s"$name-log")).iterator.asScala.toSeq match {
      case Seq(log) => log.toString
    }

  private def jsonOf(name: String): Path = scratch.resolve(s"$name.json")

  private def read(name: String): JsonNode = new ObjectMapper().readTree(jsonOf(name).toFile)

  private def spark(env: Map[String, String], words: String*): Run = {
    val run = Run(Dist.patched.bin("spark-class") +: words, scratch, env)
    assert(run.exit == 0, run)
    run
  }

  private def report(words: String*): Run = {
    val run = spark(Map.empty, "org.apache.spark.hpc.report.Report" +: words: _*)
    assert(!run.err.contains("WARN"), run)
    run
  }

  private def reported(name: String): JsonNode = {
    report("--json", jsonOf(name).toString, logOf(name))
    read(name)
  }

  /** Runs applications in one driver. They begin when they have their executors, however late one of them is. */
  private def run(dist: Dist, plants: Plant*): Unit = {
    val applications = plants.map { plant =>
      val settings = plant.settings ++ logged(plant.name) ++ Seq("spark.master" -> plant.master)
      (plant.kind +: settings.map { case (key, value) => s"$key=$value" }).mkString(" ")
    }
    val submit =
      Submit(dist, Submit.LocalCluster, "Planted", StandaloneCluster.Both, applications)
    val ran = submit.run(scratch)
    assert(ran.exit == 0, ran)
  }

  /** The reports on applications by their names. */
  private def planted(plants: Plant*): Map[String, JsonNode] = {
    run(Dist.patched, plants: _*)
    val names = plants.map(_.name)
    val files = names.flatMap(name => Seq(jsonOf(name).toString, logOf(name)))
    val env = Map("SPARK_DIST_CLASSPATH" -> Apps.jar.toString)
    spark(env, "org.sparkhpc.apps.LoggedReports" +: files: _*)
    names.map(name => name -> read(name)).toMap
  }

  // A Try, so that applications that fail run once, and not again for each test.
  private lazy val reports: Try[Map[String, JsonNode]] = Try(
    planted(
      Plant("nothing", "nothing", InDriver),
      Plant("skew", "skew", InDriver),
      Plant("nothing-shuffled", "nothing-shuffled", Submit.LocalCluster),
      Plant("smallTasks", "smallTasks", Submit.LocalCluster),
      Plant("lostOutputs", s"lostOutputs ${directory("notes")}", Submit.LocalCluster)
    )
  )

  private lazy val reportsOfSlowFiles: Try[Map[String, JsonNode]] = Try(
    slowly("metadata-server", "mds.median_us=20000") { metadata =>
      slowly("data-servers", "ost.median_us=20000", "ost.bandwidth_mb=4") { data =>
        inMemory(memory => planted(onSlowFiles(metadata.mount, data.mount, memory): _*))
      }
    }
  )

  private def onSlowFiles(metadata: String, data: String, memory: Path): Seq[Plant] = {
    val tiers = "spark.hpc.scratch.tiers" -> s"global:$data"
    val memoryFirst = "spark.hpc.scratch.tiers" -> s"memory:$memory?capacity=2m,global:$data"
    Seq(
      Plant("metadata", s"metadata $metadata", InDriver),
      Plant(
        "data",
        "data",
        Submit.LocalCluster,
        tiers,
        "spark.hpc.shuffle.placement" -> "global",
        "spark.hpc.shuffle.directory" -> s"$data/shuffles"
      ),
      // 7 MB for the blocks of the executor, of which there are 32 MB.
      Plant("cache", "cache", OneExecutor, tiers, "spark.memory.fraction" -> "0.01"),
      Plant("fullTier", "data", OneExecutor, memoryFirst)
    )
  }

  private def slowly[A](name: String, settings: String*)(use: Pfs => A): A =
    // Blocks that the kernel still has are no requests.
    Closing(new Pfs(directory(name), settings = settings :+ "client.cache=0"))(use)

  private def inMemory[A](use: Path => A): A = {
    val memory = Paths.get("/dev/shm", scratch.getFileName.toString)
    Files.createDirectories(memory)
    try use(memory)
    finally FilesBelow(memory).foreach(file => Files.deleteIfExists(file))
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

  test("a sound program has no bottleneck") {
    assertNone(reports.get("nothing"))
    assertNone(reports.get("nothing-shuffled"))
  }

  test("one key that has most of the records") {
    assertFound("skew", reports.get("skew"))
  }

  test("too many small partitions") {
    assertFound("smallTasks", reports.get("smallTasks"))
  }

  test("an executor that is lost with its map outputs") {
    assertFound("lostOutputs", reports.get("lostOutputs"))
  }

  test("a slow metadata server") {
    assertFound("metadata", reportsOfSlowFiles.get("metadata"))
  }

  test("slow data servers, and memory too short for the cache on them") {
    val data = reportsOfSlowFiles.get("data")
    assertFound("data", data)
    // Its tasks wait for map outputs that are read from the shared file system.
    assert(data.at("/split/fetchFiles").asDouble > data.at("/split/fetchExecutors").asDouble, data)
    assertFound("cache", reportsOfSlowFiles.get("cache"))
  }

  test("a full memory tier before slow data servers") {
    assertFound("fullTier", reportsOfSlowFiles.get("fullTier"))
  }

  test("a slow Python function") {
    val settings = logged("python").flatMap { case (key, value) => Seq("--conf", s"$key=$value") }
    val command = Submit.quickly(Dist.patched) ++ Seq("--master", InDriver) ++ settings :+
      PythonEnvironment.script("planted.py")
    val run = Run(command, scratch, Map("PYSPARK_PYTHON" -> PythonEnvironment.python))
    assert(run.exit == 0, run)
    assertFound("python", reported("python"))
  }

  test("stock Spark's event log has what stock Spark measures") {
    run(Dist.stock, Plant("stock", "skew", InDriver))
    val stock = reported("stock")
    assert(stock.at("/finding/cause").asText == "skew", stock.get("findings"))
    assert(stock.get("stages").elements.asScala.forall(_.get("samples").size == 0))
    val compared = report("--compare", logOf("stock"), logOf("stock"))
    assert(compared.out.contains("\nB: The bottleneck is one partition"), compared)
  }
}

object ReportSuite {

  /** An application of [[org.sparkhpc.apps]].Planted.
    *
    * @param name of its event log
    * @param kind with its directory, if it has one
    */
  private final case class Plant(
      name: String,
      kind: String,
      master: String,
      settings: (String, String)*
  )

  // Its tasks are measured, and looked at, as those of executors are.
  private val InDriver = "local[2]"

  private val OneExecutor = "local-cluster[1,2,1024]"
}
