package org.sparkhpc.e2e.app

/** An application that shows the words of its command line. */
object Echo {
  def main(args: Array[String]): Unit = args.foreach(word => print(s"[$word]"))
}
