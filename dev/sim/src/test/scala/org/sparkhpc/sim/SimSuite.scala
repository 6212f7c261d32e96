package org.sparkhpc.sim

import java.io.{ByteArrayOutputStream, PrintStream}
import java.nio.file.{Files, Path, Paths}

import org.scalatest.funsuite.AnyFunSuite

import org.sparkhpc.retain.trace.TraceEvent._
import org.sparkhpc.retain.trace.TraceWriter

class SimSuite extends AnyFunSuite {

  private def run(args: String*): (Int, String, String) = {
    val out = new ByteArrayOutputStream
    val err = new ByteArrayOutputStream
    val code = Sim.run(args, new PrintStream(out, true), new PrintStream(err, true))
    (code, out.toString("UTF-8"), err.toString("UTF-8"))
  }

  private def withFile(write: Path => Unit)(test: Path => Unit): Unit = {
    // The build points it below target/, where nobody has made it yet.
    val folder = Files.createDirectories(Paths.get(sys.props("java.io.tmpdir")))
    val file = Files.createTempFile(folder, "sim", ".trace")
    try {
      write(file)
      test(file)
    } finally Files.delete(file)
  }

  private def written(trace: Trace)(file: Path): Unit = {
    val writer = new TraceWriter(Files.newOutputStream(file))
    trace.events.foreach(writer.write)
    writer.close()
  }

  test("a row for each size, way to spill and policy") {
    withFile(written(Traces.loop(blocks = 4, times = 3, bytes = 1000000, nanos = 500000000))) {
      file =>
        val (code, out, err) = run(file.toString, "--memory", "100,1", "--policies", "lru,loop")
        assert(code == 0 && err.isEmpty)
        assert(out.contains("4 blocks, 32 events, at most\n4.0 MB in memory"))
        assert(out.contains("| as it ran | | | | 0 | 0.0 | 0.0 | 0 |"))
        assert(out.linesIterator.count(_.startsWith("| 1")) == 8)
        // Four blocks, each computed for two more requests.
        assert(out.contains("| 1% | never | lru | 4.00 | 8 | 0.0 | 0.0 | 0 |"))
        // At 200 MB a second: 4 MB written, 12 MB read.
        assert(out.contains("| 1% | auto | lru | 0.08 | 0 | 4.0 | 12.0 | 0 |"))
    }
  }

  test("the first row says what the run did") {
    val loop = Traces.loop(blocks = 4, times = 3, bytes = 1000000, nanos = 500000000)
    val block = loop.blocks.keys.head
    val decisions = Seq(Written(block), Evicted(block), ReadBack(block), ReadBack(block))
    val again = Computed(block, 500000000, Nil)
    withFile(written(new Trace(loop.events ++ decisions :+ again))) { file =>
      val (_, out, _) = run(file.toString, "--memory", "100")
      assert(out.contains("| as it ran | | | | 1 | 1.0 | 2.0 | 1 |"))
    }
  }

  test("bad input is one line that says what to do") {
    withFile(file => Files.write(file, Array[Byte](1, 2, 3))) { file =>
      assert(run(file.toString)._1 == 1)
      val (code, _, err) = run("/no/such.trace")
      assert(code == 1 && err == "Sim: /no/such.trace: there is no such file\n")
      val (usage, _, why) = run(file.toString, "--policies", "best")
      assert(usage == 2 && why.startsWith("Sim: --policies best: must be among lru, lrc, loop"))
      assert(run(file.toString, "--memory", "0")._1 == 2)
      assert(run()._1 == 2)
    }
  }
}
