package org.sparkhpc.apps

/** A file system of the testbed that the test has started: see docs/testbed.md.
  *
  * @param program with the kind of file system: `dev/testbed/testbed pfs`
  */
private[apps] final class Testbed(program: String, base: String) {

  /** A command to it, such as `clear`, by its words. */
  def tell(words: Seq[String]): Unit = {
    val command = program.split(' ').toSeq ++ Seq(words.head, "--base", base) ++ words.tail
    val exit = new ProcessBuilder(command: _*).inheritIO().start().waitFor()
    if (exit != 0) throw new IllegalStateException(s"${command.mkString(" ")}: exit $exit")
  }
}
