package org.sparkhpc.sim.cluster

import java.io.ByteArrayInputStream
import java.nio.file.{Files, Path, Paths}

import scala.sys.process._
import scala.util.{Random, Try}

import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

/** The model's queue and the emulator's say the same times: its C files are compiled and asked. */
class TimeModelSuite extends AnyFunSuite with BeforeAndAfterAll {

  private val repository = Paths.get("../..").toAbsolutePath.normalize
  private val presets = repository.resolve("dev/testbed/pfs/presets.conf")
  private lazy val program = compiled()

  private def compiled(): Path = {
    val hasCompiler = Try(Seq("cc", "--version").!(ProcessLogger(_ => ()))).toOption.contains(0)
    assume(hasCompiler || sys.env.get("CI").contains("true"), "no cc (Debian: apt install gcc)")
    val pfs = repository.resolve("dev/testbed/pfs")
    val made = Files.createDirectories(Paths.get("target/queue")).resolve("queue_times")
    val sources = Seq(s"$pfs/queue.c", s"$pfs/random.c", "src/test/c/queue_times.c")
    val command = Seq("cc", "-O2", "-std=c11", s"-I$pfs", "-o", made.toString) ++ sources :+ "-lm"
    assert(command.! == 0)
    made
  }

  /** Times in nanoseconds, weights and bytes. */
  private def requests(random: Random, count: Int, gap: Double): Seq[(Long, Double, Long)] = {
    var now = 0L
    Seq.fill(count) {
      now += (-gap * math.log(1 - random.nextDouble())).toLong
      (
        now,
        Seq(0.3, 0.7, 1, 1.7)(random.nextInt(4)),
        if (random.nextBoolean()) 0L else random.nextInt(1 << 20).toLong
      )
    }
  }

  private def emulated(
      seed: Long,
      shape: Station.Shape,
      asked: Seq[(Long, Double, Long)]
  ): Seq[Long] = {
    val words = Seq(
      seed,
      shape.threads,
      shape.medianMicros,
      shape.sigma,
      shape.tailChance,
      shape.tailFrom,
      shape.tailTo,
      shape.megabytes
    ).map(_.toString)
    val lines = asked.map { case (at, weight, bytes) => s"$at $weight $bytes\n" }.mkString
    val in = new ByteArrayInputStream(lines.getBytes("UTF-8"))
    ((program.toString +: words) #< in).!!.linesIterator.map(_.toLong).toSeq
  }

  for {
    preset <- Seq("edison", "cori", "bb-striped", "flash", "workstation")
    side <- Seq("mds", "ost")
    (load, gap) <- Seq("idle" -> 5e6, "busy" -> 5e4)
  } test(s"$preset's $side, $load: the emulator's times") {
    val shape = Station.Shape.of(Settings.read(Seq(presets), preset), side)
    val asked = requests(new Random(7), 5000, gap)
    val station = new Station(shape, 42)
    val ours = asked.map { case (at, weight, bytes) => station.admit(at, weight, bytes.toDouble) }
    val theirs = emulated(42, shape, asked)
    assert(ours.size == theirs.size)
    // Mathematical functions of C and of Java may differ in the last bit, and each request waits for others.
    for ((our, their) <- ours.zip(theirs)) assert(math.abs(our - their) <= 1000)
    // So that the test can't pass by times that are all alike.
    assert(ours.zip(asked).map { case (done, (at, _, _)) => done - at }.distinct.size > 1000)
  }

  test("requests that arrive as one take as long as one after the other, on average") {
    val shape = Station.Shape.of(Settings.read(Seq(presets), "edison"), "mds")
    val (one, many) = (new Station(shape, 1), new Station(shape, 2))
    val single = (1 to 200000).foldLeft(0L)((now, _) => one.admit(now, 1))
    val together = (1 to 2000).foldLeft(0L)((now, _) => many.admit(now, 1, count = 100))
    assert(math.abs(together.toDouble / single - 1) < 0.03)
  }
}
