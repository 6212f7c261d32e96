package org.sparkhpc.apps

/** An emulated file system that the test has started: see docs/testbed.md. */
private[apps] final class Testbed(testbed: String, base: String) {

  /** A command to it, such as `clear`, by its words. */
  def tell(words: Seq[String]): Unit = {
    val command = Seq(testbed, "pfs", words.head, "--base", base) ++ words.tail
    val exit = new ProcessBuilder(command: _*).inheritIO().start().waitFor()
    if (exit != 0) throw new IllegalStateException(s"${command.mkString(" ")}: exit $exit")
  }
}
