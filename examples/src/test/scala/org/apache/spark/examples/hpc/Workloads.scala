package org.apache.spark.examples.hpc

import org.scalatest.Suite

/** What the tests of all workloads ask of them. */
trait Workloads extends LocalMaster { this: Suite =>

  /** The program succeeds, and its last line begins with `label: ` and has all of `fields`. */
  def assertRuns(program: Program, label: String, fields: String*)(line: String): Unit = {
    val ran = run(program, line.split(' ').toSeq: _*)
    assert(ran.code == 0, ran)
    assert(ran.err.isEmpty, ran)
    val words = ran.outLines.last.split(' ').toSeq
    assert(words.head == s"$label:", ran)
    assert(words.last == "check=ok", ran)
    assert(words.exists(_.matches("seconds=\\d+\\.\\d{3}")), ran)
    fields.foreach(field => assert(words.contains(field), ran))
  }

  /** As `assertRefuses`, with the options in one text. */
  def assertRefused(program: Program, code: Int, words: String*)(line: String): Unit =
    assertRefuses(program, code, words: _*)(line.split(' ').filter(_.nonEmpty).toSeq: _*)
}
