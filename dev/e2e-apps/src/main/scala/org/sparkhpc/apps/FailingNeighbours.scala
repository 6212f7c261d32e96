package org.sparkhpc.apps

/** [[Neighbours]], which fails after all of that, by its exit code. */
object FailingNeighbours {

  def main(args: Array[String]): Unit = {
    Neighbours.main(args)
    sys.exit(3)
  }
}
