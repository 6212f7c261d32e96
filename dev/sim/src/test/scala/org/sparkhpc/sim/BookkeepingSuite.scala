package org.sparkhpc.sim

import java.io.{ByteArrayOutputStream, PrintStream}

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow

import org.apache.spark.util.SizeEstimator
import org.sparkhpc.retain.{DiskSpeed, LeastReferenceCount, LoopAware, Lru, Observed}
import org.sparkhpc.retain.RetentionPolicy
import org.sparkhpc.retain.trace.TraceBlock

class BookkeepingSuite extends AnyFunSuite {

  private def run(args: String*): (Int, String) = {
    val out = new ByteArrayOutputStream
    val err = new ByteArrayOutputStream
    val code = Bookkeeping.run(args, new PrintStream(out, true), new PrintStream(err, true))
    (code, out.toString("UTF-8") + err.toString("UTF-8"))
  }

  test("a block's bookkeeping is bounded, however long its history", Slow) {
    val (code, table) = run("20000")
    assert(code == 0)
    val bytes = table.linesIterator.map(_.split('|').map(_.trim)).collect {
      case Array(_, policy, bytes, _, _, _) if bytes.matches("[0-9.]+") => policy -> bytes.toDouble
    }.toMap
    assert(bytes.keySet == Set("lru", "lrc", "loop"))
    assert(bytes("lru") < 100 && bytes("lrc") < 150 && bytes("loop") < 500)
  }

  test("nothing is kept of a block without an RDD, such as a broadcast, once it left memory") {
    val policies = Seq[RetentionPolicy[TraceBlock]](
      new Observed(new Lru, Replay.Names, new DiskSpeed),
      new Observed(new LeastReferenceCount(Replay.Names), Replay.Names, new DiskSpeed),
      new LoopAware(Replay.Names, new DiskSpeed, (_: TraceBlock) => true)
    )
    for (policy <- policies) {
      def pass(blocks: Range): Unit = blocks.map(TraceBlock(-1, _)).foreach { block =>
        policy.stored(block, 100)
        policy.used(block)
        policy.left(block)
      }
      pass(0 until 10)
      val before = SizeEstimator.estimate(policy)
      pass(10 until 10000)
      assert(SizeEstimator.estimate(policy) < before + 1000)
    }
  }

  test("a number that is none is refused") {
    assert(run("many") == (2 -> "Bookkeeping: many: give the number of blocks, or nothing\n"))
  }
}
