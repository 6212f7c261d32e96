package org.sparkhpc.e2e

/** The testbed's program: see docs/testbed.md. */
object Testbed {
  val Program: String = Dist.root.resolve("dev/testbed/testbed").toString

  /** What stands before a verb of this kind of file system, as words with spaces between them. */
  def of(kind: String): String = s"$Program $kind"
}
