package org.sparkhpc.sim

import java.io.{ByteArrayOutputStream, PrintStream}

import org.scalatest.funsuite.AnyFunSuite

class BookkeepingSuite extends AnyFunSuite {

  private def run(args: String*): (Int, String) = {
    val out = new ByteArrayOutputStream
    val err = new ByteArrayOutputStream
    val code = Bookkeeping.run(args, new PrintStream(out, true), new PrintStream(err, true))
    (code, out.toString("UTF-8") + err.toString("UTF-8"))
  }

  test("a block's bookkeeping is bounded, however long its history") {
    val (code, table) = run("20000")
    assert(code == 0)
    val bytes = table.linesIterator.map(_.split('|').map(_.trim)).collect {
      case Array(_, policy, bytes, _, _, _) if bytes.matches("[0-9.]+") => policy -> bytes.toDouble
    }.toMap
    assert(bytes.keySet == Set("lru", "lrc", "loop"))
    assert(bytes("lru") < 100 && bytes("lrc") < 150 && bytes("loop") < 500)
  }

  test("a number that is none is refused") {
    assert(run("many") == (2 -> "Bookkeeping: many: give the number of blocks, or nothing\n"))
  }
}
