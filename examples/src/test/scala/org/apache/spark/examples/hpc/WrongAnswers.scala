package org.apache.spark.examples.hpc

import org.scalatest.Assertions

/** For tests that give a check a wrong answer: one that lets it pass is worth nothing. */
trait WrongAnswers extends Assertions {

  /** The answer is refused in one line that says what was expected and what was found. */
  def assertWrong(words: String*)(check: => Any): Unit = {
    val refusal = intercept[Refusal](check)
    assert(refusal.exitCode == 1)
    (Seq("wrong answer: ", "expected ", "found ") ++ words)
      .foreach(word => assert(refusal.getMessage.contains(word)))
    assert(!refusal.getMessage.contains("\n"))
  }
}
