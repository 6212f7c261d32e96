package org.sparkhpc.sim.cluster

import java.nio.file.{Files, Paths}

import scala.collection.JavaConverters._

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class SimulationSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private val files = Seq("../testbed/pfs/presets.conf", "machines.conf").map(Paths.get(_))
  private val edison = Settings.read(files, "edison-xc30")

  private def run(
      variant: String,
      program: Program,
      executors: Int,
      slots: Int = 1,
      settings: Settings = edison,
      steps: Int = 64
  ): Simulation.Result = {
    val its = Variant.all.find(_.name == variant).get
    new Simulation(Machine(settings, executors, slots), its, program, steps = steps).run()
  }

  private def groupBy(tasks: Int, pairs: Double = 1000): Program =
    Program("groupby", tasks, 1, pairs, 100)

  private val cases = for {
    variant <- Gen.oneOf(Variant.all.map(_.name))
    executors <- Gen.choose(1, 40)
    slots <- Gen.choose(1, 4)
    tasks <- Gen.choose(1, 120)
    shuffles <- Gen.choose(1, 3)
    steps <- Gen.choose(1, 50)
  } yield (variant, executors, slots, Program("any", tasks, shuffles, 500, 100), steps)

  test("reducers get the bytes that maps wrote, whatever the layout and the number of executors") {
    forAll(cases) { case (variant, executors, slots, program, steps) =>
      val written = program.stages.filter(_.writes.nonEmpty).map { stage =>
        stage.tasks * program.shuffle(stage.tasks).outputBytes
      }.sum
      val moved = run(variant, program, executors, slots, steps = steps).moved
      assert(math.abs(moved / written - 1) < 1e-9)
    }
  }

  test("the same seed gives the same times") {
    forAll(cases) { case (variant, executors, slots, program, steps) =>
      def seconds: Double = run(variant, program, executors, slots, steps = steps).seconds
      assert(seconds == seconds)
    }
  }

  test("a faster file system, network or driver is never slower") {
    val faster = Gen.oneOf(
      "mds.threads" -> 16.0,
      "mds.median_us" -> 50.0,
      "ost.bandwidth_mb" -> 50000.0,
      "net.mb" -> 50000.0,
      "net.latency_us" -> 1.0,
      "driver.task_us" -> 10.0
    )
    // Without chance, since a draw for another request may be a longer one.
    val certain = edison.set("mds.sigma", 0).set("mds.tail_chance", 0).set("ost.sigma", 0)
      .set("ost.tail_chance", 0)
    forAll(cases, faster) { case ((variant, executors, slots, program, steps), (key, value)) =>
      def seconds(settings: Settings): Double =
        run(variant, program, executors, slots, settings, steps).seconds
      // When requests of other tasks come earlier, a task may wait for them: no more than a little.
      assert(seconds(certain.set(key, value)) <= seconds(certain) * 1.02)
    }
  }

  test("a free file system makes all layouts alike") {
    val free = edison.set("mds.median_us", 0).set("mds.tail_chance", 0).set("ost.median_us", 0)
      .set("ost.tail_chance", 0).set("ost.bandwidth_mb", 0).set("client.request_us", 0)
      .set("memory.request_us", 0).set("mount.request_us", 0)
    val seconds =
      Variant.all.map(variant => run(variant.name, groupBy(96), 24, settings = free).seconds)
    assert(seconds.distinct.size == 1)
  }

  test("the paper's number of opens: 4,718,592 for 1,536 partitions on 16 nodes of Edison") {
    val result = run("stock", groupBy(1536, pairs = 1e6), 384)
    assert(math.abs(result.counts("open") - 4718592) < 1)
    // HPDC'16, section 5.2: the pool opens each file once for each executor.
    assert(math.abs(run("pool", groupBy(1536, pairs = 1e6), 384).counts("open") - 2 * 1536) < 1)
  }

  test("groups of owners don't change the time of a busy metadata server") {
    def seconds(steps: Int): Double = run("stock", groupBy(768, 1e6), 192, steps = steps).seconds
    val exact = seconds(191)
    for (steps <- Seq(96, 48, 24)) assert(math.abs(seconds(steps) / exact - 1) < 0.05)
  }

  test("scratch in memory leaves the requests for the program's input") {
    val scan = Program("scan", 8, 1, 1000, 100, files = 100)
    assert(run("ramdisk", groupBy(8), 4).metadata == 0)
    assert(run("ramdisk", scan, 4).counts("open") == 400)
    assert(run("ours", scan, 4).counts("open") < 110)
  }

  test("groups of owners don't make some owners busier than others") {
    // Owners that take long for a block are then what a reduce stage waits for.
    val slow = edison.set("cpu.serve_us", 5000).set("driver.task_us", 1)
    for (executors <- Seq(120, 128, 250)) {
      def seconds(steps: Int): Double =
        run(
          "ramdisk",
          groupBy(executors * 2, 1e6),
          executors,
          settings = slow,
          steps = steps
        ).seconds
      assert(math.abs(seconds(8) / seconds(executors) - 1) < 0.15)
    }
  }

  test("the requests of stock Spark are those that were counted") {
    val page = Files.readAllLines(Paths.get("../../docs/results/shuffle-counts.md")).asScala
    val counted = page.map(_.split('|').map(_.trim.replace(",", ""))).collect {
      case Array("", work, executors, tasks, "stock", metadata, _*) if work.startsWith("java") =>
        (executors.toInt, tasks.toInt, metadata.toDouble)
    }
    assert(counted.size >= 7)
    for ((executors, tasks, metadata) <- counted) {
      val its = run("stock", groupBy(tasks), executors).metadata
      assert(math.abs(its / metadata - 1) < 0.06, s"$executors executors, $tasks tasks: $its")
    }
  }

  test("an executor with many large records makes more containers") {
    import org.sparkhpc.container.ModelContainers
    val few = ModelContainers.of(4, 1000, 100)
    assert((few.count, few.indexReads, few.reads) == ((1, 1, 4)))
    // The records of 40 outputs of 200,000 partitions have no room in one index of 16 MiB.
    assert(ModelContainers.of(40, 200000, 200).count > 1)
    // Small outputs are near each other in the file.
    assert(ModelContainers.of(4, 10, 100).reads == 1)
  }

  test("a missing setting is named") {
    val refused = intercept[Exception](Settings.read(files, "edison")("host.cores"))
    assert(refused.getMessage.contains("[edison] has no host.cores"))
    assert(intercept[Exception](Settings.read(files, "x")).getMessage.contains("[x]"))
  }
}
