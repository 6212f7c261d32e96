package org.sparkhpc.e2e.app

/** An application that ends itself with the code that it is given. */
object Exits {
  def main(args: Array[String]): Unit = sys.exit(args(0).toInt)
}
