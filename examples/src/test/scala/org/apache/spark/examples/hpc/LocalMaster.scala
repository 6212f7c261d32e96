package org.apache.spark.examples.hpc

import java.io.{ByteArrayOutputStream, PrintStream}

import org.scalatest.{BeforeAndAfterAll, Suite}

import org.apache.spark.SparkContext

/** Runs programs in this process as spark-submit would: Spark's settings are system properties. */
trait LocalMaster extends BeforeAndAfterAll { this: Suite =>

  protected def settings: Map[String, String] = Map.empty

  private def all: Map[String, String] =
    Map("spark.master" -> "local[2]", "spark.ui.enabled" -> "false") ++ settings

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    all.foreach { case (key, value) => System.setProperty(key, value) }
  }

  override protected def afterAll(): Unit =
    try all.keys.foreach(key => System.clearProperty(key))
    finally super.afterAll()

  /** The program's whole life; whatever came of it, no Spark application is left behind. */
  def run(program: Program, args: Any*): Ran = {
    val out, err = new ByteArrayOutputStream
    val code = program.run(
      args.map(_.toString),
      new PrintStream(out, true, "UTF-8"),
      new PrintStream(err, true, "UTF-8")
    )
    assert(SparkContext.getActive.isEmpty, "the program left its SparkContext running")
    Ran(code, out.toString("UTF-8"), err.toString("UTF-8"))
  }

  /** The program refuses in one line that has all of `words`, and says nothing else. */
  def assertRefuses(program: Program, code: Int, words: String*)(args: Any*): Unit = {
    val ran = run(program, args: _*)
    assert(ran.errLines.size == 1, ran)
    assert(ran.code == code, ran)
    assert(!ran.err.contains("Exception"), ran)
    words.foreach(word => assert(ran.err.contains(word), ran))
  }
}
