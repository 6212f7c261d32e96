package org.sparkhpc.e2e.app

/** An application whose main method fails. */
object Throws {
  def main(args: Array[String]): Unit = throw new IllegalStateException("thrown by main")
}
